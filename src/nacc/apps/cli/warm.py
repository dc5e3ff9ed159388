"""`nacc warm`: everything compiled and kept before anybody waits for it."""

from __future__ import annotations

import time


def warm() -> None:
    """Compile the decoders once, all of them, so that no later call has to.

    What comes out is kept beside the package or in the user's cache; a second call takes a moment.
    """
    from nacc.compiled import cache_folder, is_first_run
    from nacc.decoding.warming import warm_up

    started, new = time.perf_counter(), is_first_run()
    warm_up()
    folder = cache_folder()
    kept = f"kept in {folder}" if folder else "kept nowhere: no folder can be written"
    done = "compiled" if new else "ready"
    print(f"{done} in {time.perf_counter() - started:.1f} s; {kept}")
