/**
 * The stream of a paper run: the public entries of the real exchange, with the entries of the embedded exchange about the account among
 * them. A connection lives as long as the real one.
 */
import type { EventName } from '../domain/events.ts';
import type { Clock, Timer } from '../ports/clock.ts';
import type { Socket, SocketHandlers, SocketTransport } from '../ports/transport.ts';
import { type DecodedEntry, FrameDecoder, silentSurvey } from '../venue/index.ts';
import type { ObservedFeed } from './observed-feed.ts';
import type { PairedBetslips } from './paired-betslips.ts';
import { isOfAccount, isOfBetslip, isPublic } from './public-tags.ts';
import {
  type RawEntry,
  rawEntryOf,
  type RawFrame,
  rawFrame,
  type ReadEntry,
  readRawFrame,
} from './raw-frame.ts';
import type { RealExchange, WatchedStream } from './real-exchange.ts';
import type { ShownOffers } from './shown-offers.ts';
import { giveCommand, readWatchCommand, type WatchCommand } from './watch-command.ts';

export interface StreamParts {
  readonly real: RealExchange;
  /** The stream of the embedded exchange, and the key of its account. */
  readonly embedded: SocketTransport;
  readonly embeddedKey: string;
  readonly feed: ObservedFeed;
  readonly offers: ShownOffers;
  /** The real betslips behind those of the account; null if the embedded exchange quotes them. */
  readonly betslips: Pick<PairedBetslips, 'shown' | 'passesOwn'> | null;
  /** Lets the embedded exchange do what is due. */
  readonly settle: () => void;
  /** The largest number of registered events. */
  readonly mostRegistrations: number;
  readonly clock: Clock;
  /** An entry of the real stream was left out. */
  readonly onDropped: (tag: string) => void;
  /** The client sent something that may not pass. */
  readonly onRefused: (what: string) => void;
}

interface SentCommand {
  readonly command: WatchCommand;
  /** Whether the real exchange answers it. */
  readonly passes: boolean;
}

/** The longest silence of a connection that may still be whole: the exchange sends `info` every few seconds. */
const SILENT_MS = 10_000;
/** An exchange shows a change of its book at its next broadcast, this much later at most. */
const SHOWN_WITHIN_MS = 2_000;

/** The answer of the exchange to a registration above its cap. */
const OVER_CAP = rawEntryOf('response', { status: 'error', code: 'customer_event_limit_exceeded' });

export class PaperStream implements Socket {
  readonly #parts: StreamParts;
  readonly #handlers: SocketHandlers;
  readonly #account: Socket;
  readonly #decoder = new FrameDecoder(silentSurvey);
  /** What the account's stream sent before the real one was open. */
  readonly #early: Uint8Array[] = [];
  #real: WatchedStream | null = null;
  #isOpen = false;
  #isOver = false;
  /** Commands without an answer, oldest first. */
  readonly #unanswered: SentCommand[] = [];
  readonly #registered = new Set<string>();
  #lastRealMs = -Infinity;
  #lastFrame: RawFrame | null = null;
  readonly #changed = new Map<string, EventName>();
  #timer: Timer | null = null;

  constructor(parts: StreamParts, handlers: SocketHandlers) {
    [this.#parts, this.#handlers] = [parts, handlers];
    // The account's stream comes first, so that the client misses nothing that happens after it is in sync.
    this.#account = parts.embedded.open(
      { api_key: parts.embeddedKey },
      {
        onOpen: () => this.#openReal(),
        onMessage: (data) => this.#onAccount(data),
        onRefused: (status, body) => this.#end(() => handlers.onRefused(status, body)),
        onClose: (code, reason) => this.#end(() => handlers.onClose(code, reason)),
      },
    );
  }

  send(text: string): void {
    if (!this.#isOpen || this.#real === null) return;
    const command = readWatchCommand(text);
    if (command === null) return this.#parts.onRefused('a command on the stream');
    const passes = this.#takeNote(command);
    this.#unanswered.push({ command, passes });
    if (passes) giveCommand(this.#real, command);
    else this.show(this.#refusalsDue());
  }

  terminate(): void {
    if (this.#real === null) this.#account.terminate();
    else this.#real.terminate();
  }

  /** The paper orders of an event changed: its offers are shown anew. */
  bookChanged(event: EventName): void {
    if (!this.#isOpen) return;
    this.#changed.set(`${event.sport},${event.eventId}`, event);
    this.#timer ??= this.#parts.clock.after(SHOWN_WITHIN_MS, () => this.#showAgain());
  }

  /** Shows the client entries that the real exchange did not send now. */
  show(entries: readonly RawEntry[]): void {
    if (entries.length === 0) return;
    const data = this.#lastFrame?.with(entries) ?? null;
    if (this.#isOpen && data !== null) this.#handlers.onMessage(data);
  }

  #openReal(): void {
    if (this.#isOver) return;
    const { feed } = this.#parts;
    this.#real = this.#parts.real.watch({
      onOpen: () => {
        this.#isOpen = true;
        feed.connected();
        this.#handlers.onOpen();
        for (const data of this.#early.splice(0)) this.#handlers.onMessage(data);
      },
      onMessage: (data) => this.#onReal(data),
      onBytes: () => this.#handlers.onBytes?.(),
      onRefused: (status, body) => this.#end(() => this.#handlers.onRefused(status, body)),
      onClose: (code, reason) => this.#end(() => this.#handlers.onClose(code, reason)),
    });
  }

  #end(report: () => void): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer?.cancel();
    if (this.#isOpen) {
      this.#parts.feed.lost();
      this.#parts.settle();
    }
    this.#isOpen = false;
    this.#account.terminate();
    this.#real?.terminate();
    report();
  }

  /** Whether a command goes to the real exchange. */
  #takeNote(command: WatchCommand): boolean {
    if (command.kind === 'list' || command.kind === 'echo') return true;
    const key = `${command.sport},${command.eventId}`;
    if (command.kind === 'unregister') {
      this.#registered.delete(key);
      this.#parts.feed.unwatch(command);
      this.#decoder.forget(command);
      return true;
    }
    if (!this.#registered.has(key) && this.#registered.size >= this.#parts.mostRegistrations) return false;
    this.#registered.add(key);
    this.#parts.feed.watch(command);
    return true;
  }

  /** Answers carry no id and come in the order of the commands, so a refusal of ours waits for the answers before it. */
  #refusalsDue(): RawEntry[] {
    const due: RawEntry[] = [];
    while (this.#unanswered[0]?.passes === false) {
      this.#unanswered.shift();
      due.push(OVER_CAP);
    }
    return due;
  }

  #onAccount(data: Uint8Array): void {
    const frame = rawFrame(data);
    const { betslips } = this.#parts;
    const passes = (raw: RawEntry): boolean => isOfAccount(raw.tag) && (betslips?.passesOwn(raw) ?? true);
    const seen = frame?.with(frame.entries.filter(passes)) ?? null;
    if (seen === null) return;
    if (this.#isOpen) this.#handlers.onMessage(seen);
    else this.#early.push(seen);
  }

  #onReal(data: Uint8Array): void {
    const frame = readRawFrame(data, this.#decoder);
    this.#lastRealMs = this.#parts.clock.monotonicMs();
    if (frame === null) return this.#parts.onDropped('unreadable');
    this.#lastFrame = frame;
    // Most frames are the offers of one event, and pass as they are.
    const seen = frame.entries.every(({ tag }) => isPublic(tag))
      ? frame.entries
      : frame.entries.map((raw) => this.#seen(raw)).filter((raw) => raw !== null);
    this.#parts.feed.observe(seen);
    // Orders are matched before the client sees the prices, as on an exchange.
    this.#parts.settle();
    const bytes = frame.with(seen.every((raw) => this.#passes(raw)) ? seen : this.#shown(seen));
    if (bytes !== null) this.#handlers.onMessage(bytes);
  }

  /** Whether paper has nothing to do with an entry. */
  #passes({ entry }: ReadEntry): boolean {
    return entry?.tag === 'offer' && !this.#parts.offers.isTouched(entry.offer);
  }

  /** An entry as far as this run may see it; null for one that is left out. */
  #seen(raw: ReadEntry): ReadEntry | null {
    if (isPublic(raw.tag)) return raw;
    const { betslips, onDropped } = this.#parts;
    if (betslips === null || !isOfBetslip(raw.tag)) {
      onDropped(raw.tag);
      return null;
    }
    const ours = betslips.shown(raw);
    return ours === null ? null : { ...ours, entry: null };
  }

  /** Entries as the client sees them. */
  #shown(seen: readonly ReadEntry[]): readonly RawEntry[] {
    return seen.flatMap((raw): RawEntry | RawEntry[] => {
      const { entry } = raw;
      if (entry?.tag === 'offer') return this.#parts.offers.shown(raw, entry.offer);
      if (entry?.tag === 'response') this.#answered(entry);
      return raw.tag === 'response' ? [raw, ...this.#refusalsDue()] : raw;
    });
  }

  /** A refused registration takes none of our share. */
  #answered({ ok, code }: Extract<DecodedEntry, { tag: 'response' }>): void {
    const command = this.#unanswered.shift()?.command;
    if (ok || code === 'already_registered' || command?.kind !== 'register') return;
    this.#registered.delete(`${command.sport},${command.eventId}`);
  }

  #showAgain(): void {
    this.#timer = null;
    const events = [...this.#changed.values()];
    this.#changed.clear();
    // A connection that may be dead must not look alive.
    if (this.#parts.clock.monotonicMs() - this.#lastRealMs > SILENT_MS) return;
    this.show(events.flatMap((event) => this.#offersOf(event)));
  }

  /** The offers of an event, as the client sees them now. */
  #offersOf(event: EventName): readonly RawEntry[] {
    const { feed, offers } = this.#parts;
    const texts = this.#decoder.textsOf(event);
    return Array.from(feed.offersOf(event), (offer) => offers.asEntry(offer, texts.get(offer)));
  }
}
