import type { FastifyInstance, FastifyReply } from 'fastify';
import { HistoryError } from '../../domain/errors.ts';
import type {
  RecordedAlert,
  RecordedDay,
  RecordedFill,
  RecordedProfit,
  TimelinePoint,
} from '../../read-model/live/records.ts';
import type { OrderRow } from '../../read-model/status.ts';
import { LEAST_LEVELS } from '../../read-model/live/log-lines.ts';
import { described } from '../commands/command-schema.ts';
import type { LogQuestion } from '../log-memory.ts';

/** What an account did, for lists and charts. Questions about the past throw HistoryError. */
export interface RecordSource {
  /** At most `points` points of a span, the oldest first. */
  timeline(query: { fromMs: number; toMs: number; points: number }): readonly TimelinePoint[];
  /** At most `points` readings of each strategy and event within a span, the oldest first. */
  profits(query: { fromMs: number; toMs: number; points: number }): readonly RecordedProfit[];
  /** The newest first. */
  fills(query: { fromMs: number; toMs: number; limit: number }): readonly RecordedFill[];
  /** What alarmed, the newest first. */
  alerts(query: { fromMs: number; toMs: number; limit: number }): readonly RecordedAlert[];
  /** The last trading days with bets or results, the newest first. */
  days(query: { limit: number }): readonly RecordedDay[];
  /** The orders of this run, as many as are kept, the newest first. */
  orders(): readonly OrderRow[];
  /** The last lines of the log as JSON, the newest last. */
  log(): readonly string[];
  /** The newest lines of a kind, as far as they are kept, the newest last. */
  findInLog(question: LogQuestion): readonly string[];
}

/** A question must not hold up the engine for long. */
const [MOST_POINTS, MOST_FILLS, MOST_LINES] = [1_000, 2_000, 2_000];

const INSTANT = { type: 'integer', minimum: 0, description: 'Wall-clock milliseconds.' } as const;

const TIMELINE_SCHEMA = {
  type: 'object',
  required: ['fromMs', 'toMs'],
  properties: {
    fromMs: INSTANT,
    toMs: INSTANT,
    points: { type: 'integer', minimum: 1, maximum: MOST_POINTS, default: 300 },
  },
} as const;

const FILLS_SCHEMA = {
  type: 'object',
  required: ['fromMs', 'toMs'],
  properties: {
    fromMs: INSTANT,
    toMs: INSTANT,
    limit: { type: 'integer', minimum: 1, maximum: MOST_FILLS, default: MOST_FILLS },
  },
} as const;

const DAYS_SCHEMA = {
  type: 'object',
  properties: { limit: { type: 'integer', minimum: 1, maximum: 400, default: 30 } },
} as const;

const LOG_SCHEMA = {
  type: 'object',
  properties: {
    find: { type: 'string', maxLength: 200, description: 'In the time of day, the message or a field.' },
    level: { enum: LEAST_LEVELS, default: 'debug' },
    limit: { type: 'integer', minimum: 1, maximum: MOST_LINES, default: MOST_LINES },
  },
} as const;

interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Serves `GET /timeline?fromMs=&toMs=[&points=]`, `GET /profits` likewise, `GET /fills?fromMs=&toMs=[&limit=]`, `GET /alerts` likewise, `GET /days[?limit=]`, `GET /orders` and `GET /log[?find=&level=&limit=]`. */
export function addRecordRoutes(server: FastifyInstance, records: RecordSource): void {
  const timeline = described('read', 'Profit, exposure and quotes over a span of time.', {
    querystring: TIMELINE_SCHEMA,
  });
  server.get<{ Querystring: Span & { points: number } }>('/timeline', timeline, async ({ query }, reply) =>
    readable(reply, () => records.timeline(query)),
  );
  const profits = described('read', 'The profit of each strategy and event over a span of time.', {
    querystring: TIMELINE_SCHEMA,
  });
  server.get<{ Querystring: Span & { points: number } }>('/profits', profits, async ({ query }, reply) =>
    readable(reply, () => records.profits(query)),
  );
  const fills = described('read', 'The fills of a span of time, with their mark-outs.', {
    querystring: FILLS_SCHEMA,
  });
  server.get<{ Querystring: Span & { limit: number } }>('/fills', fills, async ({ query }, reply) =>
    readable(reply, () => records.fills(query)),
  );
  const alerts = described('read', 'The alerts of a span of time, also those that are over.', {
    querystring: FILLS_SCHEMA,
  });
  server.get<{ Querystring: Span & { limit: number } }>('/alerts', alerts, async ({ query }, reply) =>
    readable(reply, () => records.alerts(query)),
  );
  const days = described('read', 'Profit by trading day.', { querystring: DAYS_SCHEMA });
  server.get<{ Querystring: { limit: number } }>('/days', days, async ({ query }, reply) =>
    readable(reply, () => records.days(query)),
  );
  server.get('/orders', described('read', 'The last orders of this run.', {}), async () => records.orders());
  const log = described('read', 'The last lines of the log; with `find`, the newest ones that have it.', {
    querystring: LOG_SCHEMA,
  });
  server.get<{ Querystring: Omit<LogQuestion, 'find'> & { find?: string } }>(
    '/log',
    log,
    async ({ query: { find, ...rest } }) =>
      find === undefined ? records.log() : records.findInLog({ find, ...rest }),
  );
}

function readable(reply: FastifyReply, read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    return reply.code(503).send({ error: error.message });
  }
}
