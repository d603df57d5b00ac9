import { significant } from '../../lib/formats.ts';
import type { Comparison } from '../../research/facts/compare.ts';
import type { Fact } from '../../research/facts/table.ts';
import { LEAST_DAYS } from '../../research/statistics/summarise.ts';
import { renderTable } from './output.ts';

/** One table for each sport and phase. */
export function factsText(facts: readonly Fact[]): string[] {
  const groups = Map.groupBy(facts, ({ sport, phase }) => `${sport}, ${phase}`);
  if (groups.size === 0) return ['nothing was traded or quoted while a market was open'];
  return [...groups].flatMap(([title, some], at) => [
    ...(at === 0 ? [title] : ['', title]),
    ...renderTable(
      some.map(({ figure, value, unit, interval, days }) => ({
        figure,
        value: value === null ? '-' : numberText(value),
        unit,
        '95 %':
          interval?.map(numberText).join(' to ') ?? (value === null ? '' : `${days} of ${LEAST_DAYS} days`),
      })),
    ),
  ]);
}

const numberText = (value: number): string => significant(value, 3);

/** Prints a table for each sport and phase, and the number of figures that lie outside. */
export function comparisonText(comparisons: readonly Comparison[]): string[] {
  const groups = Map.groupBy(comparisons, ({ sport, phase }) => `${sport}, ${phase}`);
  const outside = comparisons.filter(({ isInside }) => !isInside).length;
  return [
    ...[...groups].flatMap(([title, some]) => [
      title,
      ...renderTable(
        some.map(({ figure, recorded, range, middle, unit, evenings, isInside }) => ({
          figure,
          recorded: numberText(recorded),
          '5 %': range === null ? '-' : numberText(range[0]),
          '50 %': middle === null ? '-' : numberText(middle),
          '95 %': range === null ? '-' : numberText(range[1]),
          unit,
          evenings: String(evenings),
          '': isInside ? 'inside' : 'OUTSIDE',
        })),
      ),
      '',
    ]),
    `${outside} of ${comparisons.length} recorded figures lie outside of nine in ten modelled evenings`,
  ];
}
