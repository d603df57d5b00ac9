import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isTimeZone, tradingDays, UTC_DAYS } from '../../src/lib/trading-day.ts';

const HOUR_MS = 3_600_000;
const at = (text: string): number => Date.parse(text);

/** Polar stations set their clocks by two or three hours. */
const ZONES = ['UTC', ...Intl.supportedValuesOf('timeZone')].filter((zone) => !/^Antarctica/.test(zone));

describe('a trading day', () => {
  it('is the day of UTC by default', () => {
    const days = tradingDays({ timeZone: 'Etc/UTC', startHour: 0 });
    expect(tradingDays({ timeZone: 'UTC', startHour: 0 })).toBe(UTC_DAYS);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: at('2100-01-01') }), (ms) => {
        expect(days.numberOf(ms)).toBe(UTC_DAYS.numberOf(ms));
        expect(days.nameOf(ms)).toBe(new Date(ms).toISOString().slice(0, 10));
        expect(days.endOf(ms)).toBe(UTC_DAYS.endOf(ms));
      }),
    );
  });

  it.each([
    ['Europe/London', 0, '2026-07-01T22:59:59Z', '2026-07-01'],
    ['Europe/London', 0, '2026-07-01T23:00:00Z', '2026-07-02'],
    ['Europe/London', 6, '2026-07-02T04:59:59Z', '2026-07-01'],
    ['Europe/London', 6, '2026-07-02T05:00:00Z', '2026-07-02'],
    ['America/New_York', 4, '2026-01-01T08:59:59Z', '2025-12-31'],
    ['Asia/Kathmandu', 0, '2026-01-01T18:15:00Z', '2026-01-02'],
  ])('in %s from %i h names %s as %s', (timeZone, startHour, instant, name) => {
    expect(tradingDays({ timeZone, startHour }).nameOf(at(instant))).toBe(name);
  });

  it.each([
    ['2026-03-28', 23],
    ['2026-10-24', 25],
    ['2026-06-01', 24],
  ])('lasts as long as the local day: the day after %s has %i h', (dayBefore, hours) => {
    const days = tradingDays({ timeZone: 'Europe/London', startHour: 0 });
    const begin = days.endOf(at(`${dayBefore}T12:00:00Z`));
    expect((days.endOf(begin) - begin) / HOUR_MS).toBe(hours);
  });

  it('begins late if clocks skip its hour, and once if they show it twice', () => {
    const days = tradingDays({ timeZone: 'Europe/Berlin', startHour: 2 });
    expect(days.nameOf(at('2026-03-29T00:59:59Z'))).toBe('2026-03-28');
    expect(days.nameOf(at('2026-03-29T01:00:00Z'))).toBe('2026-03-29');
    expect(days.nameOf(at('2026-10-24T23:59:59Z'))).toBe('2026-10-24');
    expect(days.nameOf(at('2026-10-25T00:00:00Z'))).toBe('2026-10-25');
    expect(days.nameOf(at('2026-10-25T01:30:00Z'))).toBe('2026-10-25');
  });

  it('follows the day before without a gap, in every time zone, after 23 to 25 hours', () => {
    const given = {
      zone: fc.constantFrom(...ZONES),
      startHour: fc.integer({ min: 0, max: 23 }),
      ms: fc.integer({ min: at('2016-01-01'), max: at('2037-01-01') }),
    };
    fc.assert(
      fc.property(fc.record(given), ({ zone, startHour, ms }) => {
        const days = tradingDays({ timeZone: zone, startHour });
        let begin = days.endOf(ms);
        expect(days.numberOf(begin - 1)).toBe(days.numberOf(ms));
        for (let count = 1; count <= 10; count++) {
          expect(days.numberOf(begin)).toBe(days.numberOf(ms) + count);
          const end = days.endOf(begin);
          expect(end - begin).toBeGreaterThanOrEqual(23 * HOUR_MS);
          expect(end - begin).toBeLessThanOrEqual(25 * HOUR_MS);
          begin = end;
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the name of a time zone', () => {
  it('is known to this machine', () => {
    const names = ['UTC', 'Europe/London', 'Mars/Olympus', '', ' ', 5, null];
    expect(names.map(isTimeZone)).toEqual([true, true, false, false, false, false, false]);
  });
});
