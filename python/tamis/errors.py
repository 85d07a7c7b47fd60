"""The exceptions of tamis.  All are TamisErrors, with the library's own text."""


class TamisError(Exception):
    """Any error of tamis."""


class FullError(TamisError):
    """There is no room for one more key; nothing was changed."""


class NotFoundError(TamisError, LookupError):
    """The key is not there."""


class IsMemberError(TamisError, ValueError):
    """A key was reported as absent, and is in the set."""


class InvalidArgumentError(TamisError, ValueError):
    """An argument is outside of what is documented."""


class UnsupportedError(TamisError):
    """This filter has no such operation."""


class IncompatibleError(TamisError, ValueError):
    """Two filters that can't be combined; the text says what differs."""


class CorruptError(TamisError):
    """Bytes are damaged; the text says where."""


class VersionError(TamisError):
    """A file of a format that this library does not know."""


class FileError(TamisError, OSError):
    """The operating system refused to read or write."""


class OutOfMemoryError(TamisError, MemoryError):
    """There is not enough memory; nothing was changed."""


class StaleError(TamisError):
    """What is known of the members is too old; read them again."""
