import { z } from 'zod';
import { ProtocolError } from '../../domain/errors.ts';
import type { EventName } from '../../domain/events.ts';
import { betslipId, betType, eventId, sport } from '../../domain/ids.ts';
import type { EventTime, StreamEntry } from '../../domain/stream.ts';
import { readBalance } from './account.ts';
import { readBet } from './bets.ts';
import { instantWithin, within, withinBounds } from './bounds.ts';
import { readEvent } from './events.ts';
import { readOffer, readQuote } from './offers.ts';
import { readOrder } from './orders.ts';
import { objectReader, type Reader } from './reader.ts';
import {
  anything,
  isRecord,
  label,
  parseJson,
  readNumber,
  scoreOrNull,
  text,
  textOrNull,
  timestampOrNull,
} from './scalars.ts';
import type { Survey } from './survey.ts';

/** The answer to one of our commands. It never leaves the venue. */
export interface ResponseEntry {
  readonly tag: 'response';
  readonly ok: boolean;
  readonly code: string | null;
  readonly data: unknown;
}

/** Reads the data of the answer to `list_registered_events`: `{registered_events: [[sport, event_id], …]}`. */
export function readRegistered(data: unknown): readonly EventName[] {
  const list = isRecord(data) ? data['registered_events'] : null;
  if (!Array.isArray(list)) throw new ProtocolError('unreadable registered events: expected a list');
  return list.map(readRegisteredEvent);
}

function readRegisteredEvent(item: unknown): EventName {
  const [code, id] = Array.isArray(item) ? (item as unknown[]) : [];
  if (typeof code !== 'string' || typeof id !== 'string') {
    throw new ProtocolError('unreadable registered events: expected [sport, event_id]');
  }
  return { sport: sport(code), eventId: eventId(id) };
}

export type DecodedEntry = StreamEntry | ResponseEntry;

/** A frame of the stream. `sentMs` is the exchange's wall clock; null when it cannot be read. */
export interface DecodedFrame {
  readonly sentMs: number | null;
  readonly entries: readonly DecodedEntry[];
}

const eventRef = { sport: text, event_id: text };

const ids = (fields: { readonly sport: string; readonly event_id: string }) => ({
  sport: sport(fields.sport),
  eventId: eventId(fields.event_id),
});

const readSync: Reader<StreamEntry> = (raw) => {
  const session = isRecord(raw) ? raw['session_id'] : null;
  return { tag: 'sync', sessionId: typeof session === 'string' ? session : null };
};

const readRemoveEvent = objectReader('remove_event', eventRef, (fields): StreamEntry => ({
  tag: 'remove_event',
  ...ids(fields),
}));

const readRemoveOffer = objectReader(
  'remove_offer',
  { ...eventRef, bet_type: text },
  (fields): StreamEntry => ({
    tag: 'remove_offer',
    ...ids(fields),
    betType: betType(fields.bet_type),
  }),
);

const readScore = objectReader('event_score', { ...eventRef, score: scoreOrNull }, (fields): StreamEntry => ({
  tag: 'event_score',
  ...ids(fields),
  score: fields.score,
}));

const readRedCards = objectReader(
  'event_red_cards',
  { ...eventRef, score: scoreOrNull },
  (fields): StreamEntry => ({
    tag: 'event_red_cards',
    ...ids(fields),
    redCards: fields.score,
  }),
);

/** Reads `[period, minutes]`. */
function timeOf(value: unknown, survey: Survey): EventTime | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const minutes = readNumber(value[1]);
  const believed = minutes === null ? null : within('event_time.minutes', minutes, survey);
  return { period: String(value[0]), minutes: believed };
}

const readTime = objectReader(
  'event_time',
  { ...eventRef, time: anything },
  (fields, survey): StreamEntry => ({
    tag: 'event_time',
    ...ids(fields),
    time: timeOf(fields.time, survey),
  }),
);

/** Only the changing fields of a pushed betslip are used, so its other fields are not read. */
const pushedBetslip = z.object({ betslip_id: text, expiry_ts: timestampOrNull });

const readPushedBetslip: Reader<StreamEntry> = (raw, survey) => {
  const parsed = pushedBetslip.safeParse(withinBounds('betslip', raw, survey));
  if (!parsed.success) throw new ProtocolError('unreadable betslip: betslip_id');
  return { tag: 'betslip', betslipId: betslipId(parsed.data.betslip_id), expiryMs: parsed.data.expiry_ts };
};

const readBetslipClosed = objectReader(
  'betslip_closed',
  { betslip_id: text, close_reason: textOrNull },
  (fields): StreamEntry => ({
    tag: 'betslip_closed',
    betslipId: betslipId(fields.betslip_id),
    closeReason: fields.close_reason,
  }),
);

const readResponse = objectReader(
  'response',
  { status: label, code: textOrNull, data: anything },
  (fields): ResponseEntry => ({
    tag: 'response',
    ok: fields.status === 'ok',
    code: fields.code,
    data: fields.data ?? null,
  }),
);

const READERS: Readonly<Record<string, Reader<DecodedEntry>>> = {
  event: (raw, survey) => ({ tag: 'event', event: readEvent(raw, survey) }),
  remove_event: readRemoveEvent,
  clear_events: () => ({ tag: 'clear_events' }),
  sync: readSync,
  offer: (raw, survey) => ({ tag: 'offer', offer: readOffer(raw, survey) }),
  remove_offer: readRemoveOffer,
  event_score: readScore,
  event_red_cards: readRedCards,
  event_time: readTime,
  pmm: (raw, survey) => ({ tag: 'pmm', quote: readQuote(raw, survey) }),
  betslip: readPushedBetslip,
  betslip_closed: readBetslipClosed,
  order: (raw, survey) => ({ tag: 'order', order: readOrder(raw, survey) }),
  bet: (raw, survey) => ({ tag: 'bet', bet: readBet(raw, survey) }),
  balance: (raw, survey) => ({ tag: 'balance', balance: readBalance(raw, survey) }),
  response: readResponse,
};

/** Published tags that this client does not use. */
const IGNORED_TAGS: ReadonlySet<string> = new Set([
  'xrate',
  'info',
  'ir_info',
  'remove_ir_info',
  'event_exchange_dark_liquidity',
]);

/**
 * Reads one `[tag, payload]` of a frame. An unreadable entry is counted and gives null, so that it costs no other entry.
 * An entry with an unknown tag has the tag `other`.
 */
export function readEntry(raw: unknown, survey: Survey): DecodedEntry | null {
  if (!Array.isArray(raw) || typeof raw[0] !== 'string') {
    survey.note('bad-entry', 'not a [tag, payload] pair');
    return null;
  }
  const [tag, payload] = raw as [string, unknown];
  if (!Object.hasOwn(READERS, tag)) {
    if (!IGNORED_TAGS.has(tag)) survey.note('tag', tag.slice(0, 64));
    return { tag: 'other', name: tag };
  }
  return readKnown(tag, payload, survey);
}

function readKnown(tag: string, payload: unknown, survey: Survey): DecodedEntry | null {
  try {
    return (READERS[tag] as Reader<DecodedEntry>)(payload, survey);
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error;
    survey.note('bad-entry', `${tag}: ${error.message}`);
    return null;
  }
}

const EMPTY_FRAME: DecodedFrame = { sentMs: null, entries: [] };

const utf8 = new TextDecoder();

/** Reads a server frame `{"ts": …, "data": [entry, …]}`. Unreadable parts are counted and left out, without an error. */
export function readFrame(data: Uint8Array, survey: Survey): DecodedFrame {
  const frame = parseJson(utf8.decode(data));
  if (!isRecord(frame) || !Array.isArray(frame['data'])) {
    survey.note('bad-frame', 'not {"ts", "data"}');
    return EMPTY_FRAME;
  }
  const entries: DecodedEntry[] = [];
  for (const raw of frame['data'] as readonly unknown[]) {
    const entry = readEntry(raw, survey);
    if (entry !== null) entries.push(entry);
  }
  return { sentMs: instantWithin('frame.ts', frame['ts'], survey), entries };
}
