"""Long work stops at a safe point: for a signal, for a check, and never in the middle of something."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

from jeopardice import Pig, Race, TenThousand, Turn, solve
from jeopardice.kernels import watched
from jeopardice.kernels.stopping import check_wanted, checked_by, signals_noted


def endless(done, cancelled):
    """A pass that ends only when it is cancelled."""
    while not cancelled[0]:
        done[0] += 1
        time.sleep(0.001)
    return "cancelled"


class TooLate(Exception):
    pass


def ends_after(seconds):
    end = time.monotonic() + seconds

    def check():
        if time.monotonic() > end:
            raise TooLate

    return check


def test_a_check_ends_a_pass():
    with checked_by(ends_after(0.1)), pytest.raises(TooLate):
        watched(endless, 1)


def test_a_check_ends_a_pass_on_another_thread():
    raised = []

    def run():
        try:
            with checked_by(ends_after(0.1)):
                watched(endless, 1)
        except TooLate as error:
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join(30)
    assert len(raised) == 1


def test_a_check_ends_laying_out_and_certifying():
    with checked_by(ends_after(-1)):
        with pytest.raises(TooLate):
            solve(Turn(TenThousand(dice=6)))
        with pytest.raises(TooLate):
            solve(Race(Pig(sides=9), target=2000, players=2))
    solution = solve(Race(Pig(sides=7), target=150, players=2))
    with checked_by(ends_after(-1)), pytest.raises(TooLate):
        _ = solution.error_bound
    assert solution.error_bound < 1e-9


def test_checks_do_not_outlive_their_block():
    with checked_by(ends_after(-1)), pytest.raises(TooLate):
        check_wanted()
    check_wanted()
    assert np.isfinite(solve(Race(Pig(), target=30)).value)


def test_signals_are_noted_and_act_at_the_end():
    at_end = False
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012, SIM117
        with signals_noted() as noted:
            for _ in range(5):
                os.kill(os.getpid(), signal.SIGINT)
            time.sleep(0.01)
            assert noted.signals == [signal.SIGINT]
            at_end = True
    assert at_end
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_ignored_signal_stays_ignored():
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with signals_noted() as noted:
            os.kill(os.getpid(), signal.SIGHUP)
            time.sleep(0.01)
            assert not noted
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_stop_a_pass_and_then_act(number):
    """However many come in, the pass is cancelled first; then a SIGTERM ends the process as it always does."""
    program = (
        "import sys, time\n"
        "from jeopardice.kernels import watched\n"
        "def endless(done, cancelled):\n"
        "    print('begun', flush=True)\n"
        "    while not cancelled[0]: time.sleep(0.001)\n"
        "    sys.stdin.readline()\n"
        "    print('cancelled', flush=True)\n"
        "try:\n"
        "    watched(endless, 1)\n"
        "except KeyboardInterrupt:\n"
        "    print('interrupted', flush=True)\n"
    )
    command = [sys.executable, "-c", program]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as run:
        assert run.stdout.readline() == "begun\n"
        for _ in range(6):
            run.send_signal(number)
        printed, _ = run.communicate("all sent")
    assert printed.startswith("cancelled")
    if number == signal.SIGINT:
        assert printed == "cancelled\ninterrupted\n"
        assert run.returncode == 0
    else:
        assert run.returncode == -number
