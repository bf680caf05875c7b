#!/usr/bin/env python3
"""Sums up the report that ctest wrote; ends with "N passed, N failed".

A test that ctest could not run counts as failed; one that skipped itself or is
disabled as neither. A missing report, and one in which nothing ran, is a failure.
"""

import argparse
import collections
import pathlib
import sys
import xml.etree.ElementTree

PASSED, FAILED, SKIPPED = "passed", "failed", "skipped"


def outcome(case):
    """PASSED, FAILED or SKIPPED of a <testcase> of ctest's JUnit report."""
    if case.get("status") == "run":
        return PASSED
    if case.get("status") == "disabled":
        return SKIPPED
    skipped = case.find("skipped")
    if skipped is not None and skipped.get("message", "").startswith("SKIP_"):
        return SKIPPED
    return FAILED


def count(report):
    """({outcome: number}, names of the failed) of a report file."""
    counts, failures = collections.Counter(), []
    for case in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
        result = outcome(case)
        counts[result] += 1
        if result == FAILED:
            failures.append(case.get("name"))
    return counts, failures


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("--exit-code-of-ctest", type=int, default=0, metavar="N")
    arguments = parser.parse_args()

    try:
        counts, failures = count(arguments.report)
    except (OSError, xml.etree.ElementTree.ParseError) as error:
        counts, failures = collections.Counter(), []
        print(f"no report of the tests: {error}")
    if not counts[PASSED] and not failures:
        failures.append("(no test ran)")
    elif arguments.exit_code_of_ctest and not failures:
        failures.append(f"(ctest ended with {arguments.exit_code_of_ctest})")

    for name in failures:
        print(f"failed: {name}")
    if counts[SKIPPED]:
        print(f"{counts[SKIPPED]} skipped")
    print(f"{counts[PASSED]} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
