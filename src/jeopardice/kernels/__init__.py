"""The numeric passes, compiled: the only code that is not Python, and it knows no game but its tables."""

from jeopardice.kernels import _kernels

__all__ = ["_kernels"]
