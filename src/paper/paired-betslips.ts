/**
 * Real betslips behind those of a paper account. The client knows the embedded exchange's id alone: orders are placed on it. Its quotes,
 * its expiry and its end are those of the real one.
 */
import { TransportError } from '../domain/errors.ts';
import { type Clock, repeat } from '../ports/clock.ts';
import type { HttpAnswer, HttpRequest } from '../ports/transport.ts';
import { answerAbout, betslipFactsIn } from './betslip-answer.ts';
import { entryIn, type RawEntry, rawEntryOf, readPayload } from './raw-frame.ts';
import type { RealBetslips } from './real-exchange.ts';
import type { BetslipAct, BetslipWish } from './requests.ts';

export interface PairingParts {
  readonly real: RealBetslips;
  /** Asks the embedded exchange about the paper account, at once. */
  readonly ask: (request: Pick<HttpRequest, 'method' | 'path' | 'body'>) => HttpAnswer;
  /** Shows the client entries that waited for the name of their betslip. */
  readonly show: (entries: readonly RawEntry[]) => void;
  /** An entry of another program's betslip was left out. */
  readonly onDropped: (tag: string) => void;
  readonly clock: Clock;
}

interface Pair {
  readonly paperId: string;
  readonly realId: string;
  /** Wall-clock milliseconds; null while nobody said. */
  expiryMs: number | null;
}

/** Real betslips whose end nobody told are over this long after their expiry. */
const OVERDUE_MS = 10_000;
/** Entries that wait while a betslip is being opened, and ids that are remembered. */
const [MOST_HELD, MOST_REMEMBERED] = [200, 2_000];
/** At the stop. */
const DELETE_WITHIN_MS = 5_000;

export class PairedBetslips {
  readonly #parts: PairingParts;
  readonly #byPaper = new Map<string, Pair>();
  readonly #byReal = new Map<string, Pair>();
  /** Requests under way that open a betslip. */
  readonly #opening = new Set<Promise<unknown>>();
  readonly #held: RawEntry[] = [];
  /** Real betslips that were ours. */
  readonly #ended = new Set<string>();
  /** Betslips of the embedded exchange whose end the client knows, or need not know. */
  readonly #untold = new Set<string>();
  readonly #stop: () => void;
  #isOver = false;

  constructor(parts: PairingParts) {
    this.#parts = parts;
    this.#stop = repeat(parts.clock, OVERDUE_MS, () => this.#endOverdue());
  }

  /** Rejects with TransportError only. */
  async send(request: HttpRequest, act: BetslipAct): Promise<HttpAnswer> {
    if (act.kind === 'open') return this.#openOne(request, act.wish);
    const pair = this.#byPaper.get(act.paperId);
    if (pair === undefined) return this.#parts.ask(request);
    const answer = await this.#parts.real[act.kind](pair.realId, request);
    if (act.kind === 'delete' && isGone(answer)) this.#end(pair);
    return answer;
  }

  /** A real entry as the client sees it; null for one that it does not see, or not yet. */
  shown(raw: RawEntry): RawEntry | null {
    const payload = readPayload(raw) as Readonly<Record<string, unknown>> | null | undefined;
    const id = payload?.['betslip_id'];
    const pair = typeof id === 'string' ? this.#byReal.get(id) : undefined;
    if (pair === undefined) {
      this.#putAside(raw, id);
      return null;
    }
    if (raw.tag === 'betslip') pair.expiryMs = expiryIn(raw);
    if (raw.tag === 'betslip_closed') {
      remember(this.#untold, pair.paperId);
      this.#end(pair);
    }
    return rawEntryOf(raw.tag, { ...payload, betslip_id: pair.paperId });
  }

  /** Whether the client sees an entry of the embedded exchange: of betslips, only an end that the real one did not tell. */
  passesOwn(raw: RawEntry): boolean {
    if (raw.tag === 'pmm' || raw.tag === 'betslip') return false;
    if (raw.tag !== 'betslip_closed') return true;
    const id = (readPayload(raw) as { readonly betslip_id?: unknown } | null | undefined)?.betslip_id;
    if (typeof id !== 'string' || this.#untold.delete(id)) return false;
    const pair = this.#byPaper.get(id);
    if (pair !== undefined) void this.#deleteReal(pair);
    return true;
  }

  /** Deletes what is open on the real exchange. */
  async close(): Promise<void> {
    this.#stop();
    this.#isOver = true;
    await Promise.allSettled(this.#opening);
    await Promise.all(Array.from(this.#byPaper.values(), (pair) => this.#deleteReal(pair)));
  }

  async #openOne(request: HttpRequest, wish: BetslipWish): Promise<HttpAnswer> {
    // The embedded exchange says first whether it knows the market and has room: a refusal costs nothing of the day.
    const own = this.#parts.ask(request);
    const paperId = betslipFactsIn(own)?.id;
    if (paperId === undefined) return own;
    const opening = this.#openReal(paperId, wish);
    this.#opening.add(opening);
    try {
      return await opening;
    } catch (error) {
      this.#closeOwn(paperId);
      throw error;
    } finally {
      this.#opening.delete(opening);
      this.#showHeld();
    }
  }

  async #openReal(paperId: string, wish: BetslipWish): Promise<HttpAnswer> {
    if (this.#isOver) throw new TransportError('not-sent', 'the transport is closed');
    const answer = await this.#parts.real.open(wish);
    const facts = betslipFactsIn(answer);
    if (facts === null) {
      if (answer.status < 300) throw new TransportError('unknown', 'the answer names no betslip');
      this.#closeOwn(paperId);
      return answer;
    }
    const expiryMs = expiryIn(rawEntryOf('betslip', facts.fields));
    const pair: Pair = { paperId, realId: facts.id, expiryMs };
    this.#byPaper.set(paperId, pair);
    this.#byReal.set(facts.id, pair);
    return answerAbout(answer, facts.fields, paperId);
  }

  /** What comes before the answer that names its betslip waits for it. */
  #putAside(raw: RawEntry, id: unknown): void {
    if (typeof id === 'string' && this.#ended.has(id)) return;
    if (this.#opening.size > 0 && this.#held.length < MOST_HELD) this.#held.push(raw);
    else this.#parts.onDropped(raw.tag);
  }

  #showHeld(): void {
    const held = this.#held.splice(0);
    const shown = held.flatMap((raw) => this.shown(raw) ?? []);
    if (shown.length > 0) this.#parts.show(shown);
  }

  /** The end of a betslip may have been lost with the stream. */
  #endOverdue(): void {
    const nowMs = this.#parts.clock.wallMs();
    for (const pair of this.#byPaper.values())
      if (pair.expiryMs !== null && nowMs > pair.expiryMs + OVERDUE_MS) this.#end(pair);
  }

  #end({ paperId, realId }: Pair): void {
    this.#byPaper.delete(paperId);
    this.#byReal.delete(realId);
    remember(this.#ended, realId);
    this.#parts.real.forget(realId);
    this.#parts.ask({ method: 'DELETE', path: `/v2/betslips/${paperId}/`, body: null });
  }

  async #deleteReal(pair: Pair): Promise<void> {
    const gone = this.#parts.real.delete(pair.realId, { timeoutMs: DELETE_WITHIN_MS });
    this.#end(pair);
    // One that could not be deleted expires.
    await gone.catch(() => undefined);
  }

  #closeOwn(paperId: string): void {
    remember(this.#untold, paperId);
    this.#parts.ask({ method: 'DELETE', path: `/v2/betslips/${paperId}/`, body: null });
  }
}

function expiryIn(betslip: RawEntry): number | null {
  const entry = entryIn(betslip);
  return entry?.tag === 'betslip' ? entry.expiryMs : null;
}

/** Whether a betslip is open no more. */
const isGone = ({ status }: HttpAnswer): boolean => status < 300 || status === 404;

function remember(ids: Set<string>, id: string): void {
  ids.add(id);
  const [oldest] = ids;
  if (ids.size > MOST_REMEMBERED && oldest !== undefined) ids.delete(oldest);
}
