/**
 * `AbortSignal.any` without its cost: as long as one source lives, Node keeps a record of every signal made from it. A client
 * makes one for each request from a signal that lives as long as itself, and would grow without end.
 */
export interface FirstAbort {
  /** Aborts with the reason of the source that aborts first. */
  readonly signal: AbortSignal;
  /** Lets go of the sources. Afterwards their aborts no longer reach `signal`. */
  readonly release: () => void;
}

/** Joins two sources; absent ones never abort. The caller releases the result. */
export function firstAbort(one: AbortSignal, other?: AbortSignal): FirstAbort {
  if (other === undefined) return { signal: one, release: () => undefined };
  const sources = [one, other];
  const joined = new AbortController();
  const onAbort = (event: Event): void => joined.abort((event.target as AbortSignal).reason);
  const release = (): void => {
    for (const source of sources) source.removeEventListener('abort', onAbort);
  };
  const aborted = sources.find((source) => source.aborted);
  if (aborted === undefined) for (const source of sources) source.addEventListener('abort', onAbort);
  else joined.abort(aborted.reason);
  return { signal: joined.signal, release };
}
