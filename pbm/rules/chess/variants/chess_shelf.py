"""The variants of chess on the shelf, as sections, and those that others inherit from."""

from __future__ import annotations

TEXT = """\
# The variants of the shelf, and the sections that others inherit from.
# docs/rules/variants.md names the source of each.

# Chess and what is near it

[chess]
pawn = p
knight = n
bishop = b
rook = r
queen = q
king = k
promotionPieceTypes = qrbn

[nocastle:chess]
castling = false
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1

[torpedo:chess]
doubleStepRegionWhite = *1 *2 *3 *4 *5 *6 *7 *8
doubleStepRegionBlack = *1 *2 *3 *4 *5 *6 *7 *8

[berolina:chess]
pawn = -
customPiece1 = p:mfFcfeWimfnA
pawnTypes = p

[kingofthehill:chess]
flagPiece = k
flagRegion = d4 e4 d5 e5

[racingkings:chess]
startFen = 8/8/8/8/8/8/krbnNBRK/qrbnNBRQ w - - 0 1
flagPiece = k
flagRegion = *8
flagMove = true
castling = false
checking = false

[3check:chess]
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 3+3 0 1
checkCounting = true

[5check:3check]
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5+5 0 1

[horde:chess]
startFen = rnbqkbnr/pppppppp/8/1PP2PP1/PPPPPPPP/PPPPPPPP/PPPPPPPP/PPPPPPPP w kq - 0 1
doubleStepRegionWhite = *1 *2
enPassantRegionWhite = *6
enPassantRegionBlack = *3
extinctionValue = loss
extinctionPieceTypes = *

[knightmate:chess]
knight = -
commoner = m
king = k:N
startFen = rmbqkbmr/pppppppp/8/8/8/8/PPPPPPPP/RMBQKBMR w KQkq - 0 1
promotionPieceTypes = qrbm

[coregal:chess]
extinctionValue = loss
extinctionPieceTypes = q
extinctionPseudoRoyal = true
extinctionPieceCount = 64

[misere:chess]
checkmateValue = win

[losers:chess]
checkmateValue = win
stalemateValue = win
extinctionValue = win
extinctionPieceTypes = *
extinctionPieceCount = 1
mustCapture = true

[giveaway:chess]
king = -
commoner = k
castlingKingPiece = k
promotionPieceTypes = kqrbn
stalemateValue = win
extinctionValue = win
extinctionPieceTypes = *
mustCapture = true

[antichess:giveaway]
castling = false
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1

[suicide:antichess]
stalematePieceCount = true

[codrus:giveaway]
promotionPieceTypes = qrbn
extinctionPieceTypes = k

[extinction:chess]
king = -
commoner = k
castlingKingPiece = k
promotionPieceTypes = kqrbn
extinctionValue = loss
extinctionPieceTypes = kqrbnp

[kinglet:extinction]
promotionPieceTypes = k
extinctionPieceTypes = p

[threekings:chess]
king = -
commoner = k
castlingKingPiece = k
startFen = knbqkbnk/pppppppp/8/8/8/8/PPPPPPPP/KNBQKBNK w - - 0 1
extinctionValue = loss
extinctionPieceTypes = k
extinctionPieceCount = 2

[nocheckatomic:chess]
king = -
commoner = k
castlingKingPiece = k
extinctionValue = loss
extinctionPieceTypes = k
blastOnCapture = true

[atomic:nocheckatomic]
extinctionPseudoRoyal = true

[legan:chess]
pawn = -
customPiece1 = p:mflFcflW
promotionPawnTypes = p
nMoveRuleTypes = p
promotionRegionWhite = a8 b8 c8 d8 a7 a6 a5
promotionRegionBlack = e1 f1 g1 h1 h2 h3 h4
doubleStep = false
startFen = knbrp3/bqpp4/npp5/rp1p3P/p3P1PR/5PPN/4PPQB/3PRBNK w - - 0 1

# Chess with other pieces

[almost:chess]
queen = -
chancellor = c
promotionPieceTypes = crbn
startFen = rnbckbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBCKBNR w KQkq - 0 1

[amazon:chess]
queen = -
amazon = a
promotionPieceTypes = arbn
startFen = rnbakbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBAKBNR w KQkq - 0 1

[chigorin:chess]
chancellor = c
startFen = rbbqkbbr/pppppppp/8/8/8/8/PPPPPPPP/RNNCKNNR w KQkq - 0 1
promotionPieceTypesWhite = crn
promotionPieceTypesBlack = qrb

[hoppelpoppel:chess]
knight = -
bishop = -
knibis = n
biskni = b
promotionPieceTypes = qrbn

[newzealand:chess]
rook = -
knight = -
rookni = r
kniroo = n
castlingRookPieces = r
promotionPieceTypes = qrbn

[nightrider:chess]
knight = -
customPiece1 = n:NN
promotionPieceTypes = qrbn

[grasshopper:chess]
customPiece1 = g:gQ
promotionPieceTypes = qrbng
doubleStep = false
startFen = rnbqkbnr/gggggggg/pppppppp/8/8/PPPPPPPP/GGGGGGGG/RNBQKBNR w KQkq - 0 1

[perfect:chess]
chancellor = c
archbishop = m
amazon = g
castlingRookPieces = rc
promotionPieceTypes = gcmqrbn
startFen = cmqgkbnr/pppppppp/8/8/8/8/PPPPPPPP/CMQGKBNR w KQkq - 0 1

[spartan:threekings]
bers = g
archbishop = w
customPiece1 = h:fmFfcWimA
customPiece2 = l:FAsmW
customPiece3 = c:WD
startFen = lgkcckwl/hhhhhhhh/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1
promotionPawnTypesBlack = h
nMoveRuleTypesBlack = h
promotionPieceTypesBlack = kgwlc
promotionLimit = k:2
enPassantRegion = -
extinctionPieceCount = 0
extinctionPseudoRoyal = true
dupleCheck = true

[orda:chess]
centaur = h
knibis = a
kniroo = l
silver = y
promotionPieceTypes = qh
startFen = lhaykahl/8/pppppppp/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1
flagPiece = k
flagRegionWhite = *8
flagRegionBlack = *1

[ordamirror:chess]
centaur = h
knibis = a
kniroo = l
customPiece1 = f:mQcN
promotionPieceTypes = lhaf
startFen = lhafkahl/8/pppppppp/8/8/PPPPPPPP/8/LHAFKAHL w - - 0 1
flagPiece = k
flagRegionWhite = *8
flagRegionBlack = *1

[empire:chess]
customPiece1 = e:mQcN
customPiece2 = c:mQcB
customPiece3 = t:mQcR
customPiece4 = d:mQcK
soldier = s
promotionPieceTypes = q
startFen = rnbqkbnr/pppppppp/8/8/8/PPPSSPPP/8/TECDKCET w kq - 0 1
stalemateValue = loss
nFoldValue = loss
flagPiece = k
flagRegionWhite = *8
flagRegionBlack = *1
flyingGeneral = true

# Chess with pieces in hand

[crazyhouse:chess]
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[] w KQkq - 0 1
pieceDrops = true
capturesToHand = true

[loop:crazyhouse]
dropLoop = true

[chessgi:loop]
firstRankPawnDrops = true

[bughouse:crazyhouse]
twoBoards = true
capturesToHand = false
stalemateValue = loss

[koedem:bughouse]
king = -
commoner = k
castlingKingPiece = k
mustDrop = true
mustDropType = k
extinctionValue = loss
extinctionPieceTypes = k
extinctionOpponentPieceCount = 2

[pocketknight:chess]
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Nn] w KQkq - 0 1
pieceDrops = true

[placement:chess]
startFen = 8/pppppppp/8/8/8/8/PPPPPPPP/8[KQRRBBNNkqrrbbnn] w - - 0 1
mustDrop = true
pieceDrops = true
dropRegionWhite = *1
dropRegionBlack = *8
dropOppositeColoredBishop = true
castlingDroppedPiece = true

[seirawan:chess]
archbishop = h
chancellor = e
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[HEhe] w KQBCDFGkqbcdfg - 0 1
gating = true
seirawanGating = true
promotionPieceTypes = heqrbn

[shouse:seirawan]
pieceDrops = true
capturesToHand = true

[dragon:chess]
archbishop = d
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR[Dd] w KQkq - 0 1
pieceDrops = true
dropRegionWhite = *1
dropRegionBlack = *8
promotionPieceTypes = dqrbn

[synochess:pocketknight]
janggiCannon = c
soldier = s
horse = h
fersAlfil = e
commoner = a
stalemateValue = loss
perpetualCheckIllegal = true
startFen = rneakenr/8/1c4c1/1ss2ss1/8/8/PPPPPPPP/RNBQKBNR[ss] w KQ - 0 1
flyingGeneral = true
dropRegionBlack = *5
flagPiece = k
flagRegionWhite = *8
flagRegionBlack = *1

[shinobi:chess]
commoner = c
bers = d
archbishop = j
fers = m
shogiKnight = h
lance = l
promotionRegionWhite = *7 *8
promotionRegionBlack = *2 *1
promotionPieceTypes = -
promotedPieceType = p:c m:b h:n l:r
mandatoryPiecePromotion = true
stalemateValue = loss
perpetualCheckIllegal = true
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/LH1CK1HL[LHMMDJ] w kq - 0 1
pieceDrops = true
dropRegionWhite = *1 *2 *3 *4
dropRegionBlack = *5 *6 *7 *8
immobilityIllegal = true
flagPiece = k
flagRegionWhite = *8
flagRegionBlack = *1

# Smaller and larger boards

[losalamos:chess]
maxRank = 6
maxFile = 6
bishop = -
startFen = rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1
promotionRegionWhite = *6
promotionRegionBlack = *1
promotionPieceTypes = qrn
doubleStep = false
castling = false

[gardner:chess]
maxRank = 5
maxFile = 5
startFen = rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1
promotionRegionWhite = *5
promotionRegionBlack = *1
doubleStep = false
castling = false

[capablanca:chess]
maxFile = 10
archbishop = a
chancellor = c
castlingKingsideFile = i
castlingQueensideFile = c
promotionPieceTypes = acqrbn
startFen = rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1

[capahouse:capablanca]
startFen = rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR[] w KQkq - 0 1
pieceDrops = true
capturesToHand = true

[gothic:capablanca]
startFen = rnbqckabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQCKABNR w KQkq - 0 1

[embassy:capablanca]
castlingKingsideFile = h
castlingQueensideFile = b
startFen = rnbqkcabnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNBQKCABNR w KQkq - 0 1

[janus:chess]
maxFile = 10
archbishop = j
castlingKingsideFile = i
castlingQueensideFile = b
promotionPieceTypes = jqrbn
startFen = rjnbkqbnjr/pppppppppp/10/10/10/10/PPPPPPPPPP/RJNBKQBNJR w KQkq - 0 1

[modern:chess]
maxRank = 9
maxFile = 9
archbishop = m
promotionRegionWhite = *9
promotionRegionBlack = *1
doubleStepRegionWhite = *2
doubleStepRegionBlack = *8
promotionPieceTypes = mqrbn
startFen = rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w KQkq - 0 1

[grand:chess]
maxRank = 10
maxFile = 10
archbishop = a
chancellor = c
promotionPieceTypes = acqrbn
promotionRegionWhite = *8 *9 *10
promotionRegionBlack = *3 *2 *1
promotionLimit = a:1 c:1 q:1 r:2 b:2 n:2
mandatoryPawnPromotion = false
immobilityIllegal = true
doubleStepRegionWhite = *3
doubleStepRegionBlack = *8
castling = false
startFen = r8r/1nbqkcabn1/pppppppppp/10/10/10/10/PPPPPPPPPP/1NBQKCABN1/R8R w - - 0 1

[shako:chess]
maxRank = 10
maxFile = 10
fersAlfil = e
cannon = c
promotionPieceTypes = qrbnce
promotionRegionWhite = *10
promotionRegionBlack = *1
castlingKingsideFile = h
castlingQueensideFile = d
castlingRookKingsideFile = i
castlingRookQueensideFile = b
castlingRank = 2
doubleStepRegionWhite = *3
doubleStepRegionBlack = *8
startFen = c8c/ernbqkbnre/pppppppppp/10/10/10/10/PPPPPPPPPP/ERNBQKBNRE/C8C w KQkq - 0 1

# Old and regional chess

[shatranj:chess]
bishop = -
queen = -
alfil = b
fers = q
promotionPieceTypes = q
doubleStep = false
castling = false
extinctionValue = loss
extinctionClaim = true
extinctionPieceTypes = *
extinctionPieceCount = 1
extinctionOpponentPieceCount = 2
stalemateValue = loss
nMoveRule = 70
startFen = rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1

[chaturanga:shatranj]
extinctionValue = none
startFen = rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1

[courier:chess]
maxFile = 12
queen = -
alfil = e
fers = f
commoner = m
wazir = w
promotionPieceTypes = f
doubleStep = false
castling = false
extinctionValue = loss
extinctionClaim = true
extinctionPieceTypes = *
extinctionPieceCount = 1
extinctionOpponentPieceCount = 2
stalemateValue = loss
startFen = rnebmk1wbenr/1ppppp1pppp1/6f5/p5p4p/P5P4P/6F5/1PPPPP1PPPP1/RNEBMK1WBENR w - - 0 1

[makruk:chess]
bishop = -
queen = -
silver = s
fers = m
startFen = rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1
promotionRegionWhite = *6 *7 *8
promotionRegionBlack = *3 *2 *1
promotionPieceTypes = m
doubleStep = false
castling = false
nMoveRule = 0
countingRule = makruk

[makpong:makruk]
makpongRule = true

[cambodian:makruk]
startFen = rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1
gating = true
cambodianMoves = true
countingRule = cambodian

[karouk:cambodian]
checkCounting = true

[asean:chess]
bishop = -
queen = -
silver = b
fers = q
startFen = rnbqkbnr/8/pppppppp/8/8/PPPPPPPP/8/RNBQKBNR w - - 0 1
promotionPieceTypes = rnbq
doubleStep = false
castling = false
countingRule = asean

[sittuyin:makruk]
fers = f
startFen = 8/8/4pppp/pppp4/4PPPP/PPPP4/8/8[KFRRSSNNkfrrssnn] w - - 0 1
mustDrop = true
pieceDrops = true
dropRegionWhite = *1 *2 *3
dropRegionBlack = *8 *7 *6
sittuyinRookDrop = true
sittuyinPromotion = true
promotionRegionWhite = a8 b7 c6 d5 e5 f6 g7 h8
promotionRegionBlack = a1 b2 c3 d4 e4 f3 g2 h1
promotionPieceTypes = f
promotionLimit = f:1
countingRule = asean
nMoveRule = 50

[chak]
maxRank = 9
maxFile = 9
rook = r
knight = v
centaur = j
immobile = o
customPiece1 = s:FvW
customPiece2 = q:pQ
customPiece3 = d:mQ2cQ2
customPiece4 = p:fsmWfceF
customPiece5 = k:WF
customPiece6 = w:FvW
startFen = rvsqkjsvr/4o4/p1p1p1p1p/9/9/9/P1P1P1P1P/4O4/RVSJKQSVR w - - 0 1
mobilityRegionWhiteCustomPiece6 = *5 *6 *7 *8 *9
mobilityRegionWhiteCustomPiece3 = *5 *6 *7 *8 *9
mobilityRegionBlackCustomPiece6 = *1 *2 *3 *4 *5
mobilityRegionBlackCustomPiece3 = *1 *2 *3 *4 *5
promotionRegionWhite = *5 *6 *7 *8 *9
promotionRegionBlack = *5 *4 *3 *2 *1
promotionPieceTypes = -
mandatoryPiecePromotion = true
promotedPieceType = p:w k:d
castling = false
extinctionValue = loss
extinctionPieceTypes = kd
extinctionPseudoRoyal = true
flagPiece = d
flagRegionWhite = e8
flagRegionBlack = e2
nMoveRule = 50
nFoldRule = 3
stalemateValue = loss
"""
