"""The command itself: the application, and how every error becomes one line and an exit code."""

import io
import os
import signal
import sys
from types import FrameType
from typing import Annotated

import typer

from balance import __version__
from balance.errors import BalanceError

__all__ = ["BAD_INPUT", "DONE", "FAILED", "INTERRUPTED", "UNDECIDED", "app", "main"]

DONE, FAILED, BAD_INPUT, UNDECIDED, INTERRUPTED = 0, 1, 2, 3, 130

app = typer.Typer(
    name="balance",
    help="How hard is the game, what makes it so, and is the difference real?",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"heist-balance {__version__}")
        raise typer.Exit


@app.callback()
def _balance(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def _interrupt(signum: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def main() -> None:
    """Run the command; every error is one line on stderr and an exit code."""
    if len(sys.argv) == 1:
        sys.argv.append("--help")
    signal.signal(signal.SIGTERM, _interrupt)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
    try:
        code = app(standalone_mode=False)
    except BalanceError as error:
        code = _say(str(error), BAD_INPUT)
    except typer.TyperException as error:
        message = error.format_message() if hasattr(error, "format_message") else str(error)
        code = _say(message, BAD_INPUT)
    except (KeyboardInterrupt, typer.Abort):
        code = _say("interrupted", INTERRUPTED)
    except SystemExit as error:  # typer answers a broken pipe like this
        code = DONE if isinstance(error.__context__, BrokenPipeError) else error.code
    except OSError as error:
        code = _lost_output(error)
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except OSError as error:
        code = _lost_output(error)
    sys.exit(code if isinstance(code, int) else DONE)


def _lost_output(error: OSError) -> int:
    """What was printed went nowhere: quietly where the reader has gone (`balance .. | head`)."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    if isinstance(error, BrokenPipeError):
        return DONE
    return _say(f"the output cannot be written ({error.strerror})", BAD_INPUT)


def _say(message: str, code: int) -> int:
    print("balance: " + " ".join(message.split()), file=sys.stderr)
    return code
