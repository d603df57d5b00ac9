import { createHash } from 'node:crypto';
import type { JournalEntry } from '../../src/ports/journal.ts';
import type { HttpAnswer, HttpRequest } from '../../src/ports/transport.ts';

/** Random ids in any text. */
const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;
/** A digest of the order beside it: another id gives another digest of the same order. */
const DIGESTS: readonly string[] = ['bodyHash'];

/** SHA-256 in hex. */
export interface TraceHashes {
  /** Every request of the daemon and every answer, with their instants. */
  readonly wire: string;
  /** Every record that the journal made durable, with its instant. */
  readonly journal: string;
}

/**
 * Hashes over everything that the daemon of a day did: equal hashes mean equal behaviour. An id counts as its place in
 * the order of first appearance, so an id that was drawn and not used changes nothing. Fields of records named in
 * `without` do not count, nor do records of a kind named as `kind:NAME`. Thus a commit that adds a field or a kind to
 * the journal shows that it changed nothing else.
 */
export class Trace {
  readonly #wire = createHash('sha256');
  readonly #journal = createHash('sha256');
  readonly #ids = new Map<string, string>();
  readonly #without: ReadonlySet<string>;

  constructor(without: readonly string[] = []) {
    this.#without = new Set([...DIGESTS, ...without]);
  }

  request(nowMs: number, { method, path, body }: Pick<HttpRequest, 'method' | 'path' | 'body'>): void {
    this.#wire.update(`${nowMs} ${this.#numbered(`${method} ${path} ${body ?? ''}`)}\n`);
  }

  answer(nowMs: number, { status, body }: HttpAnswer): void {
    this.#wire.update(`${nowMs} ${this.#numbered(`${status} ${body}`)}\n`);
  }

  records(nowMs: number, entries: readonly JournalEntry[]): void {
    const kept = entries.filter(({ kind }) => !this.#without.has(`kind:${kind}`));
    if (kept.length === 0) return;
    const counted = (name: string, value: unknown): unknown => (this.#without.has(name) ? undefined : value);
    this.#journal.update(`${nowMs} ${this.#numbered(JSON.stringify(kept, counted))}\n`);
  }

  /** The hash of everything so far. */
  hashes(): TraceHashes {
    return { wire: this.#wire.copy().digest('hex'), journal: this.#journal.copy().digest('hex') };
  }

  #numbered(text: string): string {
    return text.replace(UUID, (id) => {
      const known = this.#ids.get(id);
      if (known !== undefined) return known;
      const number = `id${this.#ids.size}`;
      this.#ids.set(id, number);
      return number;
    });
  }
}
