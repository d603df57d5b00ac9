import { describe, expect, it } from 'vitest';
import { limitsWith } from '../risk/support/harness.ts';
import type { SelectionId } from '../../src/domain/ids.ts';
import { toMicros } from '../../src/domain/money.ts';
import { tickOf } from '../../src/domain/ladder.ts';
import type { QuoteIntent } from '../../src/domain/quote-intent.ts';
import type { Direction } from '../../src/domain/selection.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import { CalmDay } from '../support/calm-day.ts';
import { StillMarket } from '../support/still-market.ts';
import { riskBehind } from '../support/inputs.ts';

/** The whole daemon with a strategy whose quotes the test chooses, long 100 on home at 2.00. */
class Desk {
  readonly day = new CalmDay({ world: { events: 0 }, daemon: { maxSelections: 1, durationS: 60 } });
  readonly market = new StillMarket(this.day.world, 7_200);
  #wanted: readonly QuoteIntent[] = [];

  async open(): Promise<void> {
    await this.day.begin();
    const risk = riskBehind(this.day.run.composed.core);
    const admit = risk.admit.bind(risk);
    Object.assign(risk, {
      admit: (selections: readonly SelectionId[]) => admit(selections, this.#wanted),
    });
    await this.wants(this.quote('for', 2, 100));
    await this.day.until('the bid rests', () => this.resting('for', 100) !== undefined);
    this.market.take('against', 100);
    await this.wants();
    await this.day.until('nothing rests', () => this.day.open().length === 0);
    expect(this.worstUsdt()).toBe(-100);
  }

  /** Gives the daemon time to close what is wanted no more. */
  async wants(...quotes: readonly QuoteIntent[]): Promise<void> {
    this.#wanted = quotes;
    await this.day.pass(1_500);
  }

  quote(direction: Direction, price: number, stakeUsdt: number, level = 0): QuoteIntent {
    const selectionId = this.market.selectionId as SelectionId;
    return { selectionId, direction, tick: tickOf(price) ?? 0, stakeMicros: toMicros(stakeUsdt), level };
  }

  resting(direction: Direction, stakeUsdt: number): InspectedOrder | undefined {
    return this.day
      .open()
      .find(
        ({ betType, stakeMicros }) => betType.startsWith(direction) && stakeMicros === toMicros(stakeUsdt),
      );
  }

  worstUsdt(): number {
    return this.day.run.composed.core.risk.accountExposure().worstMicros / 1e6;
  }

  lower(usdt: number): void {
    const worstCase = {
      selectionUsdt: usdt,
      eventUsdt: usdt,
      competitionUsdt: usdt,
      sportUsdt: usdt,
      dayUsdt: usdt,
      accountUsdt: usdt,
    };
    this.#limit({ order: { maxLiabilityUsdt: usdt }, worstCase });
  }

  /**
   * Leaves this much for orders. The exchange's own balance stays, or it would refuse what the daemon rightly places.
   */
  reserveAllBut(usdt: number): void {
    const { parts } = this.day.run.composed;
    const haveUsdt = (parts.riskInputs.balance?.balanceMicros ?? 0) / 1e6;
    this.#limit({ balance: { reserveUsdt: haveUsdt - usdt } });
  }

  #limit(changed: Parameters<typeof limitsWith>[0]): void {
    const { core } = this.day.run.composed;
    core.apply({ kind: 'limits', limits: limitsWith(changed), ofStrategies: new Map() });
  }
}

describe('a position whose reducing order our own quotes block', () => {
  it('is reduced within seconds once limits are lowered: the quotes give way', async () => {
    const desk = new Desk();
    await desk.open();
    const [large, bid] = [desk.quote('against', 1.94, 250), desk.quote('for', 2.06, 20)];
    await desk.wants(large, bid);
    await desk.day.until('both rest', () => desk.day.open().length === 2);
    desk.lower(150);
    const reducing = desk.quote('against', 1.95, 60, 1);
    await desk.wants(large, bid, reducing);
    let waitedMs = 0;
    for (; desk.resting('against', 60) === undefined && waitedMs < 10_000; waitedMs += 500)
      await desk.day.pass(500);
    expect(waitedMs).toBeLessThan(10_000);
    expect(desk.resting('against', 250)).toBeUndefined();
    desk.market.take('for', 60);
    await desk.wants();
    await desk.day.until('nothing rests', () => desk.day.open().length === 0);
    expect(desk.worstUsdt()).toBe(-40);
  });

  it('is reduced when funds fall, and nothing that does not reduce is placed any more', async () => {
    const desk = new Desk();
    await desk.open();
    const [ask, bid] = [desk.quote('against', 1.94, 50), desk.quote('for', 2.06, 50)];
    await desk.wants(ask, bid);
    await desk.day.until('both rest', () => desk.day.open().length === 2);
    desk.reserveAllBut(3);
    const fellMs = desk.day.world.clock.wallMs();
    // Three lives of an order: everything that rested has lapsed, and would have been renewed.
    await desk.day.pass(180_000);
    const placed = desk.day.world.exchange
      .inspect()
      .orders.filter(({ requestUuid, createdMs }) => requestUuid !== null && createdMs > fellMs);
    expect(new Set(placed.map(({ betType }) => betType))).toEqual(new Set(['against,h']));
    expect(desk.resting('for', 50)).toBeUndefined();
    expect(desk.resting('against', 50)).toBeDefined();
    desk.market.take('for', 50);
    await desk.wants();
    await desk.day.until('nothing rests', () => desk.day.open().length === 0);
    expect(desk.worstUsdt()).toBe(-50);
  });
});
