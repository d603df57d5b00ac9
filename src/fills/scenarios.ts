/** The fill models of the scenarios of a backtest. */
import type { FillModel, Scenario } from './fill-model.ts';
import { QUEUE } from './power-queue.ts';
import { THROUGH } from './through.ts';
import { TOUCH } from './touch.ts';

export const FILL_MODELS = {
  touch: TOUCH,
  queue: QUEUE,
  through: THROUGH,
} as const satisfies Readonly<Record<Scenario, FillModel>>;
