"""The variants of shogi and xiangqi on the shelf, and those with other goals, as sections."""

from __future__ import annotations

TEXT = """\
# Shogi

[minishogi]
maxRank = 5
maxFile = 5
shogiPawn = p
silver = s
gold = g
bishop = b
dragonHorse = h
rook = r
bers = d
king = k
startFen = rbsgk/4p/5/P4/KGSBR[-] w 0 1
pieceDrops = true
capturesToHand = true
promotionRegionWhite = *5
promotionRegionBlack = *1
doubleStep = false
castling = false
promotedPieceType = p:g s:g b:h r:d
dropNoDoubled = p
immobilityIllegal = true
shogiPawnDropMateIllegal = true
stalemateValue = loss
nFoldRule = 4
nMoveRule = 0
perpetualCheckIllegal = true
nFoldValue = loss
nFoldValueAbsolute = true

[shogi:minishogi]
maxRank = 9
maxFile = 9
lance = l
shogiKnight = n
startFen = lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL[-] w 0 1
promotionRegionWhite = *7 *8 *9
promotionRegionBlack = *3 *2 *1
promotedPieceType = l:g n:g
nFoldValue = draw
nFoldValueAbsolute = false

[kyotoshogi:minishogi]
lance = l
shogiKnight = n
startFen = p+nks+l/5/5/5/+LSK+NP[-] w 0 1
promotionRegionWhite = *1 *2 *3 *4 *5
promotionRegionBlack = *1 *2 *3 *4 *5
mandatoryPiecePromotion = true
pieceDemotion = true
dropPromoted = true
promotedPieceType = l:g s:b n:g p:r g:- b:- r:-
immobilityIllegal = false
shogiPawnDropMateIllegal = false
dropNoDoubled = -
nFoldValue = draw
nFoldValueAbsolute = false

[micro:kyotoshogi]
maxFile = 4
startFen = kb+r+l/p3/4/3P/+L+RBK[-] w 0 1
piecePromotionOnCapture = true
promotedPieceType = l:s b:g r:g p:n s:- g:- n:-

[dobutsu:minishogi]
maxRank = 4
maxFile = 3
king = -
silver = -
bishop = -
dragonHorse = -
rook = -
bers = -
shogiPawn = c
gold = h
fers = e
wazir = g
commoner = l
startFen = gle/1c1/1C1/ELG[-] w 0 1
promotionRegionWhite = *4
promotionRegionBlack = *1
promotedPieceType = c:h
mandatoryPiecePromotion = true
immobilityIllegal = false
shogiPawnDropMateIllegal = false
extinctionValue = loss
extinctionPieceTypes = l
flagPiece = l
flagRegionWhite = *4
flagRegionBlack = *1
flagPieceSafe = true
dropNoDoubled = -
nFoldValue = draw
nFoldValueAbsolute = false
perpetualCheckIllegal = false

[gorogoro:minishogi]
maxRank = 6
bishop = -
dragonHorse = -
rook = -
bers = -
startFen = sgkgs/5/1ppp1/1PPP1/5/SGKGS[-] w 0 1
promotionRegionWhite = *5 *6
promotionRegionBlack = *2 *1
nFoldValue = draw
nFoldValueAbsolute = false

[gorogoroplus:gorogoro]
lance = l
shogiKnight = n
promotedPieceType = l:g n:g
startFen = sgkgs/5/1ppp1/1PPP1/5/SGKGS[LNln] w 0 1

[judkins:minishogi]
maxRank = 6
maxFile = 6
shogiKnight = n
startFen = rbnsgk/5p/6/6/P5/KGSNBR[-] w 0 1
promotionRegionWhite = *5 *6
promotionRegionBlack = *2 *1
promotedPieceType = n:g
nFoldValue = draw
nFoldValueAbsolute = false

[torishogi]
maxRank = 7
maxFile = 7
shogiPawn = s
king = k
customPiece1 = f:FsfW
customPiece2 = c:FvW
customPiece3 = l:fRrbBlbF
customPiece4 = r:fRlbBrbF
customPiece5 = p:bFfD
customPiece6 = g:fAbD
customPiece7 = e:KbRfBbF2
startFen = rpckcpl/3f3/sssssss/2s1S2/SSSSSSS/3F3/LPCKCPR[-] w 0 1
pieceDrops = true
capturesToHand = true
promotionRegionWhite = *6 *7
promotionRegionBlack = *2 *1
doubleStep = false
castling = false
promotedPieceType = s:g f:e
mandatoryPiecePromotion = true
dropNoDoubled = s
dropNoDoubledCount = 2
immobilityIllegal = true
shogiPawnDropMateIllegal = true
stalemateValue = loss
nFoldValue = win
nFoldRule = 4
nMoveRule = 0
perpetualCheckIllegal = true

[euroshogi:minishogi]
maxRank = 8
maxFile = 8
silver = -
customPiece1 = n:fNsW
startFen = 1nbgkgn1/1r4b1/pppppppp/8/8/PPPPPPPP/1B4R1/1NGKGBN1[-] w 0 1
promotionRegionWhite = *6 *7 *8
promotionRegionBlack = *3 *2 *1
promotedPieceType = n:g
mandatoryPiecePromotion = true
nFoldValue = draw
nFoldValueAbsolute = false

[yarishogi]
maxRank = 9
maxFile = 7
king = k
shogiPawn = p
rook = l
customPiece1 = n:fRffN
customPiece2 = b:fFfR
customPiece3 = r:frlR
customPiece4 = g:WfFbR
customPiece5 = s:fKbR
startFen = rnnkbbr/7/ppppppp/7/7/7/PPPPPPP/7/RBBKNNR[-] w 0 1
promotionRegionWhite = *7 *8 *9
promotionRegionBlack = *3 *2 *1
promotedPieceType = p:s n:g b:g r:l
pieceDrops = true
capturesToHand = true
doubleStep = false
castling = false
dropNoDoubled = p
immobilityIllegal = true
stalemateValue = loss
nFoldRule = 3
nMoveRule = 0
perpetualCheckIllegal = true

# Xiangqi and janggi

[minixiangqi]
maxRank = 7
maxFile = 7
rook = r
horse = n
king = k:wazir
cannon = c
soldier = p
startFen = rcnkncr/p1ppp1p/7/7/7/P1PPP1P/RCNKNCR w - - 0 1
mobilityRegionWhiteKing = c1 d1 e1 c2 d2 e2 c3 d3 e3
mobilityRegionBlackKing = c5 d5 e5 c6 d6 e6 c7 d7 e7
doubleStep = false
castling = false
stalemateValue = loss
perpetualCheckIllegal = true
flyingGeneral = true

[manchu:minixiangqi]
maxRank = 10
maxFile = 9
elephant = b
fers = a
banner = m
startFen = rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/9/9/M1BAKAB2 w - - 0 1
mobilityRegionWhiteKing = d1 e1 f1 d2 e2 f2 d3 e3 f3
mobilityRegionBlackKing = d8 e8 f8 d9 e9 f9 d10 e10 f10
mobilityRegionWhiteFers = d1 e1 f1 d2 e2 f2 d3 e3 f3
mobilityRegionBlackFers = d8 e8 f8 d9 e9 f9 d10 e10 f10
mobilityRegionWhiteElephant = *1 *2 *3 *4 *5
mobilityRegionBlackElephant = *6 *7 *8 *9 *10
soldierPromotionRank = 6

[supply:manchu]
banner = -
cannon = c
startFen = rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR[] w - - 0 1
twoBoards = true
pieceDrops = true
dropChecks = false
dropRegionWhite = *1 *2 *3 *4 *5
dropRegionBlack = *6 *7 *8 *9 *10
mobilityRegionWhiteFers = d1 f1 e2 d3 f3
mobilityRegionBlackFers = d10 f10 e9 d8 f8
mobilityRegionWhiteElephant = c1 g1 a3 e3 i3 c5 g5
mobilityRegionBlackElephant = c10 g10 a8 e8 i8 c6 g6
mobilityRegionWhiteSoldier = a4 c4 e4 g4 i4 a5 c5 e5 g5 i5 *6 *7 *8 *9 *10
mobilityRegionBlackSoldier = a7 c7 e7 g7 i7 a6 c6 e6 g6 i6 *1 *2 *3 *4 *5

[janggi]
maxRank = 10
maxFile = 9
rook = r
horse = n
king = k:wazir
soldier = p
wazir = a
janggiCannon = c
janggiElephant = b
startFen = rnba1abnr/4k4/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/4K4/RNBA1ABNR w - - 0 1
mobilityRegionWhiteKing = d1 e1 f1 d2 e2 f2 d3 e3 f3
mobilityRegionBlackKing = d8 e8 f8 d9 e9 f9 d10 e10 f10
mobilityRegionWhiteWazir = d1 e1 f1 d2 e2 f2 d3 e3 f3
mobilityRegionBlackWazir = d8 e8 f8 d9 e9 f9 d10 e10 f10
doubleStep = false
castling = false
stalemateValue = loss
bikjangRule = true
materialCounting = janggi
diagonalLines = d1 f1 e2 d3 f3 d8 f8 e9 d10 f10
pass = true
perpetualCheckIllegal = true

[janggicasual:janggi]
bikjangRule = false
materialCounting = none

# Other goals

[breakthrough]
breakthrough = p
startFen = pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w 0 1
doubleStep = false
castling = false
stalemateValue = loss
flagPiece = p
flagRegionWhite = *8
flagRegionBlack = *1

[jesonmor]
maxRank = 9
maxFile = 9
knight = n
startFen = nnnnnnnnn/9/9/9/9/9/9/9/NNNNNNNNN w - - 0 1
doubleStep = false
castling = false
stalemateValue = loss
flagPiece = n
flagRegion = e5
flagMove = true
"""
