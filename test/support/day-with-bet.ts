import { CalmDay } from './calm-day.ts';
import { StillMarket } from './still-market.ts';

export interface DayWithBet {
  readonly day: CalmDay;
  readonly market: StillMarket;
}

/**
 * A daemon that quotes on one event with unchanged prices, one of whose quotes has just been taken. `eventDay` is the
 * day in the event's name.
 */
export async function dayWithBet(
  settings: Readonly<Record<string, string>> = {},
  eventDay?: string,
): Promise<DayWithBet> {
  const day = new CalmDay({ world: { events: 0 }, settings });
  const market = new StillMarket(day.world, 3_600, eventDay);
  await day.begin();
  market.take('for', 20);
  await day.pass(1_000);
  return { day, market };
}

/** Settings with every loss limit at so many USDT. */
export function lossLimitsOf(usdt: number): Record<string, string> {
  const limits = ['dayUsdt', 'fromPeakUsdt', 'strategyDayUsdt', 'strategyFromPeakUsdt'];
  return Object.fromEntries(limits.map((name) => [`risk.loss.${name}`, `${usdt}`]));
}
