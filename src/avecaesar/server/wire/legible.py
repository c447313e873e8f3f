"""Text for others: names, titles, sayings. No reversing or invisible characters, no heaps of accents.

Checked where such text comes in, and only there: what stands in an old log is folded as it is.
"""

from __future__ import annotations

import unicodedata

from avecaesar.speech import say

MOST_ACCENTS = 2  # on one letter: Vietnamese and Thai need two, Zalgo text has dozens
# Control characters; those that turn text (bidi) or have no width; private ones and such as are none (yet), which are
# drawn as nothing or as anything; line and paragraph separators.
UNSEEN = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# Letters and marks that are drawn as nothing (Default_Ignorable_Code_Point), which no category tells.
BLANK = frozenset(
    {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0, *range(0x180B, 0x1810), *range(0xFE00, 0xFE0F)}
    | {*range(0xE0000, 0xE1000)}
)
PICTURES = range(0x1F300, 0x1FB00)  # emoji, of which phones know newer ones than an older Python does
IN_COLOUR = "\ufe0f"  # asks for an emoji's picture; after anything else it is drawn as nothing
DIGITS = frozenset({"Nd", "Nl"})
MARKS = frozenset({"Mn", "Me"})
ALIKE = frozenset({"LATIN", "GREEK", "CYRILLIC"})  # scripts with letters that look the same; others have some of them
# What such names have beside them, and what belongs to no script. Korean letters alone look like strokes.
BESIDE = ("CJK", "IDEOGRAPHIC", "HIRAGANA", "KATAKANA", "HANGUL SYLLABLE", "MODIFIER")
DOT = "\u0307"  # above a letter
SMALL_CAPITALS = "ᴀʙᴄᴅᴇꜰɢʜᴊᴋᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ", "abcdefghjkmnopqrstuvwyz"
STROKES = "l1|ǀ∣│丨ıɩɪʟ"
LOOKS_LIKE = str.maketrans(STROKES + "0〇ȷɑɡ" + SMALL_CAPITALS[0], "i" * len(STROKES) + "oojag" + SMALL_CAPITALS[1])


def fault_in(*texts: str) -> str | None:
    """What is wrong with one of these texts, in a sentence; None if everybody can read them as they are.

    >>> fault_in("Livia", "Zoë", "Nguyễn", "❤️", "\U0001fae8") is None
    True
    >>> fault_in("Li\\u200bvia") == fault_in("\\u202eaiviL") == fault_in("Z" + "\\u0301" * 3) is not None
    True
    """
    if all(_legible(text) for text in texts):
        return None
    return say("plain text only, please: no control, invisible or reversing characters and no heaps of accents")


def fault_in_name(name: str) -> str | None:
    """What is wrong with a name: besides all texts' faults, letters of two scripts, which can be made to look alike.

    >>> fault_in_name("Hera") is None and fault_in_name("Ήρα") is None and fault_in_name("アウルス 2") is None
    True
    >>> fault_in_name("H\u0435ra") == fault_in_name("\u0391ulus") == fault_in_name("\ua4e1ivia") is not None
    True
    """
    if fault := fault_in(name):
        return fault
    letters = [unicodedata.name(each, "") for each in unicodedata.normalize("NFKC", name) if _is_letter(each)]
    scripts = {letter.partition(" ")[0] for letter in letters if not letter.startswith(BESIDE)}
    if len(scripts) > 1 and scripts & ALIKE:
        return say("letters of one script only, please: Latin, Greek or Cyrillic")
    return None


def likeness(name: str) -> str:
    """The same for two names that nobody could tell apart at a table; a large I is a small L or a one in many fonts.

    >>> likeness("Livia") == likeness("LIVIA") == likeness("Livia\ufe0f") == likeness("\uff2civia") == likeness("L1vıa")
    True
    """
    seen = "".join(c for c in name if not _unseen(c) and c != IN_COLOUR)
    folded = unicodedata.normalize("NFKC", seen).casefold()
    looks = unicodedata.normalize("NFKC", folded).translate(LOOKS_LIKE)
    for letter in "ij":  # which have a dot in any case
        looks = looks.replace(letter + DOT, letter)
    return " ".join(unicodedata.normalize("NFKC", looks).split())


def _is_letter(character: str) -> bool:
    """Whether it is a letter, or a digit of some script: 0 to 9 belong to all."""
    return character.isalpha() or (not character.isascii() and unicodedata.category(character) in DIGITS)


def _unseen(character: str) -> bool:
    point = ord(character)
    return point in BLANK or (unicodedata.category(character) in UNSEEN and point not in PICTURES)


def _legible(text: str) -> bool:
    marks = 0
    for before, character in zip(f" {text}", text, strict=False):
        if _unseen(character) or (character == IN_COLOUR and not _may_have_colour(before)):
            return False
        marks = marks + 1 if unicodedata.category(character) in MARKS else 0
        if marks > MOST_ACCENTS:
            return False
    return True


def _may_have_colour(character: str) -> bool:
    """Whether it can be drawn as an emoji: a symbol, or one of the few that pass for something else."""
    kind = unicodedata.category(character)
    return kind == "So" or (kind == "Sm" and ord(character) >= 0x2190) or character in "‼⁉ℹ〰"
