"""The web page: parse, ask, show. Everything it says comes from the same functions that the package offers.

`create_app` makes the application; `jeopardice serve` runs it on this machine.
"""

from jeopardice.web.app import create_app as create_app
