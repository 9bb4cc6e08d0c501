"""Tests of the mail edge."""
