/** The report of a recorded session: its orders in the fill scenarios, beside what they really got. */
import { payloadJson } from '../../../recording/payload-json.ts';
import { fillRemarks } from '../../../research/remarks.ts';
import { RecordingError } from '../../../domain/errors.ts';
import { eventNameOf } from '../../../domain/events.ts';
import type { RequestUuid } from '../../../domain/ids.ts';
import { isTerminal } from '../../../domain/lifecycle.ts';
import type { Fill, LiveOrder } from '../../../domain/live-order.ts';
import type { OrderChange } from '../../../account/changes.ts';
import type { RecordingFolder } from '../../../ports/recording-folder.ts';
import { RecordingReader } from '../../../recording/reader.ts';
import { outcomeOf, type SessionOrder } from '../../../research/replay/own-orders.ts';
import { summarise } from '../../../research/statistics/summarise.ts';
import { warningsOf } from '../../../research/statistics/warnings.ts';
import type { BacktestReport } from '../../../research/summary.ts';
import type { EventTape } from '../../../research/tape.ts';
import type { RiskLimits } from '../../../risk/index.ts';
import { exchangeEvents } from '../exchange-tapes.ts';
import { CoverageOfTapes } from '../market-data.ts';
import { RESULT_HEAD } from '../../../research/result.ts';

export interface SessionReportInput {
  readonly folder: RecordingFolder;
  readonly session: number;
  readonly strategy: string;
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly limits: RiskLimits;
}

/** Rejects with RecordingError if the session placed no order on an event with recorded offers. */
export async function sessionReport(input: SessionReportInput): Promise<BacktestReport> {
  const { folder, session, limits } = input;
  const tapes: EventTape[] = [];
  const remarks: string[] = [];
  for await (const event of exchangeEvents(folder, [session])) {
    tapes.push(...event.tapes);
    remarks.push(...event.remarks);
  }
  const { orders, fills } = await ownActivity(folder, session);
  const { scenarios, real } = outcomeOf(tapes, orders, fills, limits);
  if (scenarios.every(({ events }) => events.length === 0))
    throw new RecordingError(`session ${session} has no order on an event with recorded offers`, {
      path: folder.path,
    });
  const coverage = new CoverageOfTapes();
  for (const tape of tapes) coverage.add(tape);
  const summaries = scenarios.map((scenario) => summarise(scenario, SEED));
  return {
    result: {
      ...RESULT_HEAD,
      strategy: input.strategy,
      parameters: input.parameters,
      engine: 'session',
      seed: SEED,
      latencyMs: 0,
      commission: 'recorded',
      scenarios,
      coverage: coverage.of([folder.path], [...remarks, ...fillRemarks(tapes)]),
    },
    summaries,
    tries: 1,
    real,
    warnings: warningsOf(scenarios, summaries, 1),
  };
}

const SEED = 1;

interface Activity {
  readonly orders: readonly SessionOrder[];
  readonly fills: readonly Fill[];
}

async function ownActivity(folder: RecordingFolder, session: number): Promise<Activity> {
  const reader = await RecordingReader.open(folder);
  const orders = new Map<RequestUuid, SessionOrder>();
  const fills: Fill[] = [];
  for await (const { kind, payload, wallMs } of reader.records({
    sessions: [session],
    kinds: ['order', 'fill'],
  })) {
    const value = payloadJson(payload);
    if (kind === 'fill') fills.push({ ...(value as Fill), atMs: wallMs });
    else note(orders, (value as OrderChange).order, wallMs);
  }
  return { orders: [...orders.values()], fills };
}

/** An order exists once the exchange has accepted it. What we closed ends then, and what lapsed at its expiry. */
function note(orders: Map<RequestUuid, SessionOrder>, order: LiveOrder, atMs: number): void {
  const { requestUuid: uuid, selectionId, direction, tick, stakeMicros, expiryMs, state } = order;
  const known = orders.get(uuid);
  if (known === undefined) {
    if (state !== 'live' && state !== 'closing') return;
    orders.set(uuid, {
      uuid,
      event: eventNameOf(order),
      selectionId,
      direction,
      tick,
      stakeMicros,
      placedMs: atMs,
      closedMs: state === 'closing' ? atMs : null,
      expiryMs,
    });
    return;
  }
  const isEnded = state === 'closing' || (isTerminal(state) && order.filledMicros < stakeMicros);
  orders.set(uuid, { ...known, expiryMs, closedMs: known.closedMs ?? (isEnded ? atMs : null) });
}
