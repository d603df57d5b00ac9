import type { DaemonPlan } from '../sim/plan.ts';
import { isCreate, type SentRequest } from '../sim/witness.ts';
import { limitsWith } from '../risk/support/harness.ts';
import { CalmDay } from './calm-day.ts';
import { StillMarket } from './still-market.ts';

// A quote at 9.4 may lose this much, so that its stake is about 20.
const STAKE = { 'strategy.parameters.stake': '175' };

/** A day on which we have sold 20 USDT at 9.4: 168 are lost if home wins. */
export async function layingHome(
  settings: Readonly<Record<string, string>> = {},
  daemon: Partial<DaemonPlan> = {},
  onTurn: (line: string) => void = () => undefined,
): Promise<{ readonly day: CalmDay; readonly market: StillMarket }> {
  const day = new CalmDay({ world: { events: 0 }, daemon, settings: { ...STAKE, ...settings } });
  day.world.onTurn = onTurn;
  const market = new StillMarket(day.world, 7_200);
  market.move(9, 11);
  await day.begin();
  await day.pass(10_000);
  market.take('for', 20);
  await day.pass(2_000);
  return { day, market };
}

/** The requests of takes, as they left. */
export const takesOf = (day: CalmDay): readonly SentRequest[] =>
  day.run.witness.sent.filter((sent) => isCreate(sent) && sent.body?.includes('"take_only"') === true);

/** Changes the limit on the worst case of an event while the day runs. */
export function limitEvent(day: CalmDay, eventUsdt: number): void {
  const worstCase = { selectionUsdt: eventUsdt, eventUsdt };
  const limits = limitsWith({ order: { maxLiabilityUsdt: Math.min(250, eventUsdt) }, worstCase });
  day.run.composed.core.apply({ kind: 'limits', limits, ofStrategies: new Map() });
}
