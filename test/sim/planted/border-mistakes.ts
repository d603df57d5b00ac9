import { LIMITS as LIMITS_LEARNED } from '../../../src/app/journal/limits-memory.ts';
import { TransportError } from '../../../src/domain/errors.ts';
import { priceOf, tickOf } from '../../../src/domain/ladder.ts';
import { Permit } from '../../../src/engine/kill/permit.ts';
import { CHECKPOINT } from '../../../src/orders/journal/checkpoint.ts';
import type { JournalEntry, JournalRecord } from '../../../src/ports/journal.ts';
import type { HttpAnswer, HttpRequest } from '../../../src/ports/transport.ts';
import { passingOn } from '../../../src/ports/logger.ts';
import {
  changingAnswers,
  changingRequests,
  dropping,
  isCreate,
  type Planted,
  replace,
  withBody,
} from './planted.ts';

const REFUSED: HttpAnswer = {
  status: 400,
  headers: {},
  body: JSON.stringify({
    status: 'error',
    code: 'validation_error',
    data: { validation_errors: { non_field_errors: ['refused'] } },
  }),
};

const refusedIf = (test: (answer: HttpAnswer) => boolean): NonNullable<Planted['http']> =>
  changingAnswers((answer, request) => (isCreate(request) && test(answer) ? REFUSED : answer));

function isUnreadable({ body }: HttpAnswer): boolean {
  try {
    return typeof JSON.parse(body) !== 'object';
  } catch {
    return true;
  }
}

const renaming = () => {
  const seen = new Set<unknown>();
  return (request: Parameters<typeof withBody>[0]) =>
    withBody(request, (body) => {
      const known = seen.has(body['request_uuid']);
      seen.add(body['request_uuid']);
      return known ? { ...body, request_uuid: `${String(body['request_uuid']).slice(0, -4)}ffff` } : body;
    });
};

const oneTickOff = (price: number): number => priceOf(Math.max(1, (tickOf(price) ?? 2) - 1));

const isUpdates = ({ path }: HttpRequest): boolean => path.startsWith('/v2/orders/updates/');

/** A window of updates without its first 20 s; other requests as they are. */
const startingLater = (request: HttpRequest): HttpRequest => ({
  ...request,
  path: request.path.replace(
    /updated_at_from=([^&]+)&updated_at_to=([^&]+)/,
    (_, from: string, to: string) => {
      const [fromMs, toMs] = [from, to].map((text) => Date.parse(decodeURIComponent(text)));
      const laterMs = Math.min(Number(fromMs) + 20_000, Number(toMs));
      return `updated_at_from=${encodeURIComponent(new Date(laterMs).toISOString())}&updated_at_to=${to}`;
    },
  ),
});

/** Mistakes in sent requests, and in the reading of answers. */
const WIRE: readonly Planted[] = [
  { name: 'new uuid on a retry', http: changingRequests(renaming) },
  { name: 'server error taken as refusal', http: refusedIf(({ status }) => status >= 500) },
  { name: 'unreadable answer taken as refusal', http: refusedIf(isUnreadable) },
  { name: 'conflict taken as refusal', http: refusedIf(({ status }) => status === 409) },
  {
    name: 'lost answer taken as not sent',
    http: (http) => ({
      send: (request) =>
        http.send(request).catch((error: unknown) => {
          throw isCreate(request) ? new TransportError('not-sent', 'lost') : error;
        }),
      close: () => http.close(),
    }),
  },
  {
    name: 'duration left out',
    http: changingRequests(() => (request) => withBody(request, ({ duration: _, ...body }) => body)),
  },
  {
    name: 'snap in the wrong direction',
    http: changingRequests(
      () => (request) => withBody(request, (body) => ({ ...body, price: oneTickOff(Number(body['price'])) })),
    ),
  },
  {
    name: 'closes everything on the account',
    http: changingRequests(() => (request) => {
      if (!/\/orders\/(\d+\/close|close_many)\/$/.test(request.path)) return request;
      return { ...request, path: '/v2/orders/close_all/', body: null };
    }),
  },
  {
    name: 'only the first page of open orders is read',
    venue: (venue) => {
      const list = venue.orders.bind(venue);
      venue.orders = (query, options) =>
        (query.page ?? 1) > 1 ? Promise.resolve({ orders: [], unread: [] }) : list(query, options);
      return venue;
    },
  },
  { name: 'gap between update windows', http: changingRequests(() => startingLater) },
  {
    name: 'gap behind an update window that was refused',
    http: (http) => {
      let wasRefused = false;
      return {
        send: async (request) => {
          if (!isUpdates(request)) return http.send(request);
          const answer = await http.send(wasRefused ? startingLater(request) : request);
          wasRefused = answer.status === 400;
          return answer;
        },
        close: () => http.close(),
      };
    },
  },
  {
    name: 'orphan heartbeat ignored',
    http: changingAnswers((answer, { method, path }) =>
      method === 'GET' && path.startsWith('/v2/heartbeats/')
        ? { ...answer, body: JSON.stringify({ status: 'ok', data: [] }) }
        : answer,
    ),
  },
  {
    name: 'key in the log',
    http: (http, log) => ({
      send: (request) => {
        passingOn(log).debug('request', { headers: request.headers });
        return http.send(request);
      },
      close: () => http.close(),
    }),
  },
];

const withoutBetslips = (entry: JournalEntry): JournalEntry =>
  entry.kind === CHECKPOINT ? { ...entry, data: { ...(entry.data as object), betslipsAtMs: [] } } : entry;

/** Mistakes about other users of the account. */
const ALONE: readonly Planted[] = [
  { name: 'second trader takes the account to be its own', second: { isSoleUser: true } },
];

/** Mistakes in the content and the time of durable writes. */
const DISK: readonly Planted[] = [
  {
    name: 'journal after the send',
    journal: (journal, clock) => ({
      ...journal,
      append: (entries) => {
        if (entries.every(({ kind }) => kind !== 'order_intended')) journal.append(entries);
        else clock.after(50, () => journal.append(entries));
      },
    }),
  },
  {
    name: 'failed write ignored',
    journal: (journal) => ({
      ...journal,
      append: (entries) => {
        try {
          journal.append(entries);
        } catch {
          return;
        }
      },
    }),
  },
  { name: 'fills not journalled', journal: dropping(({ kind }) => kind === 'fill_booked') },
  {
    name: '24 h ledger in memory only',
    journal: (journal) => {
      const forgetful = dropping(({ kind }) => kind === 'betslip_requested' || kind === LIMITS_LEARNED)(
        journal,
      );
      return { ...forgetful, append: (entries) => forgetful.append(entries.map(withoutBetslips)) };
    },
  },
  { name: 'append answers before its sync', disk: { syncsLateMs: 1_000 } },
  { name: 'account not locked', disk: { unlocked: true } },
  {
    name: 'damage in the journal read over',
    journal: (journal) => {
      const readable = function* (records: Iterable<JournalRecord>) {
        try {
          yield* records;
        } catch {
          return;
        }
      };
      return {
        ...journal,
        read: (afterSeq) => readable(journal.read(afterSeq)),
        ofKind: (kind) => readable(journal.ofKind(kind)),
        last: (kind) => {
          try {
            return journal.last(kind);
          } catch {
            return null;
          }
        },
      };
    },
  },
  { name: 'runs not counted', journal: dropping(({ kind }) => kind === 'run_started') },
  {
    name: 'kill switch in memory only',
    journal: dropping(({ kind }) => kind === 'risk_snapshot'),
    patch: () => replace(Permit.prototype, 'withdraw', () => () => undefined),
  },
  {
    name: 'restart forgets open orders',
    journal: (journal) => ({
      ...journal,
      *read(afterSeq) {
        for (const record of journal.read(afterSeq))
          if (record.kind !== 'order_intended' && record.kind !== 'state') yield record;
      },
    }),
  },
];

/** Mistakes with time and limits. */
const LIMITS: readonly Planted[] = [
  {
    name: 'wall clock measures durations',
    clock: (clock) => ({
      wallMs: () => clock.wallMs(),
      monotonicMs: () => clock.wallMs() - Date.parse('2026-03-01T12:00:00Z'),
      after: (delayMs, run) => clock.after(delayMs, run),
    }),
  },
  {
    name: 'order budget ignored',
    limits: { orders: { capacity: 100, perSecond: 100, reserve: 0, urgentReserve: 0, atStart: 100 } },
  },
  {
    name: 'limit of an event ignored',
    settings: Object.fromEntries(
      ['selection', 'event', 'competition', 'sport', 'day', 'account'].map((scope) => [
        `risk.worstCase.${scope}Usdt`,
        '4000',
      ]),
    ),
  },
  {
    name: 'heartbeat refreshed from a timer while the engine hangs',
    venue: (venue, clock) => {
      const create = venue.createHeartbeat.bind(venue);
      venue.createHeartbeat = async (timeoutS, options) => {
        const heartbeat = await create(timeoutS, options);
        const again = (): void => {
          void venue.refreshHeartbeat(heartbeat.heartbeatId).catch(() => undefined);
          clock.after(timeoutS * 300, again);
        };
        clock.after(timeoutS * 300, again);
        return heartbeat;
      };
      return venue;
    },
  },
  {
    name: 'proof of a heartbeat counts from the answer',
    venue: (venue) => {
      const refresh = venue.refreshHeartbeat.bind(venue);
      venue.refreshHeartbeat = async (heartbeatId, options) => {
        const heartbeat = await refresh(heartbeatId, options);
        try {
          options?.beforeSend?.();
        } catch {
          // The heartbeat would not be refreshed any more, and it was.
        }
        return heartbeat;
      };
      return venue;
    },
  },
  {
    name: 'a close that failed is not sent again',
    venue: (venue) => {
      const [close, closeMany] = [venue.closeOrder.bind(venue), venue.closeMany.bind(venue)];
      const failed = new Map<number, unknown>();
      const once = <T>(ids: readonly number[], send: () => Promise<T>): Promise<T> => {
        const known = ids.find((orderId) => failed.has(orderId));
        if (known !== undefined) return Promise.reject(failed.get(known) as Error);
        return send().catch((error: unknown) => {
          for (const orderId of ids) failed.set(orderId, error);
          throw error;
        });
      };
      venue.closeOrder = (orderId, options) => once([orderId], () => close(orderId, options));
      venue.closeMany = (ids, options) => once(ids, () => closeMany(ids, options));
      return venue;
    },
  },
  {
    name: 'closes wait for their budget',
    venue: (venue) => {
      const [close, closeMany] = [venue.closeOrder.bind(venue), venue.closeMany.bind(venue)];
      venue.closeOrder = (orderId, options) => close(orderId, { ...options, priority: 'normal' });
      venue.closeMany = (ids, options) => closeMany(ids, { ...options, priority: 'normal' });
      return venue;
    },
  },
  {
    name: 'no reserves of orders and betslips',
    limits: {
      orders: { capacity: 4, perSecond: 4.9, reserve: 0, urgentReserve: 0, atStart: 1 },
      betslips: { capacity: 8, perSecond: 9.8, reserve: 0, urgentReserve: 0, atStart: 2 },
      betslipsPerDayReserve: 0,
    },
  },
  { name: 'prices that never grow old', settings: { 'market.staleAfterS': '600' } },
  {
    name: 'betslips never deleted',
    venue: (venue) => {
      venue.deleteBetslip = () => Promise.resolve();
      return venue;
    },
  },
  {
    name: 'heartbeat armed once and never refreshed',
    venue: (venue) => {
      venue.refreshHeartbeat = (heartbeatId) => Promise.resolve({ heartbeatId, expiryMs: null });
      return venue;
    },
  },
];

export const AT_THE_BORDER: readonly Planted[] = [...WIRE, ...ALONE, ...DISK, ...LIMITS];
