"""One module per paper: its algorithms as written, its tables and figures, printed numbers beside ours."""
