import { expect, it } from 'vitest';
import type { HedgePreviewReport, HedgeProgressReport } from '../../src/app/operate/hedge.ts';
import { recordIn } from '../../src/engine/turn-record.ts';
import { layingHome, takesOf } from '../support/hedged-day.ts';
import { decideAgain } from '../support/recorded-day.ts';

it("a recorded run with a person's hedge is decided alike again, and otherwise without the hedge", async () => {
  const lines: string[] = [];
  const { day } = await layingHome({}, {}, (line) => lines.push(line));
  await day.pass(8_000);
  const { hedge } = day.controls;
  const { plan } = hedge.preview({ event: 'A v B', boundUsdt: 50 }) as HedgePreviewReport;
  hedge.make(plan, 'a red grid', 'anna');
  await day.until('the hedge is over', () => (hedge.progress(plan) as HedgeProgressReport).isOver);
  await day.pass(5_000);
  expect(takesOf(day)).toHaveLength(1);

  const recorded = { config: day.run.config, lines };
  expect(await decideAgain(recorded)).toMatchObject({ turns: lines.length, changed: null, differences: [] });
  const inputs = lines.flatMap((line) => recordIn(line).turn.inputs);
  expect(inputs.filter(({ kind }) => kind === 'hedge')).toMatchObject([{ by: 'anna', why: 'a red grid' }]);

  const without = lines.map((line) => line.replace('"kind":"hedge"', '"kind":"feed_cleared"'));
  expect((await decideAgain({ ...recorded, lines: without })).changed).not.toBeNull();
});
