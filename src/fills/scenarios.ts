/** The fill models of the scenarios of a backtest, from the most generous to the strictest. */
import type { FillModel } from './fill-model.ts';
import { QUEUE } from './power-queue.ts';
import { THROUGH } from './through.ts';
import { TOUCH } from './touch.ts';

export const FILL_MODELS = {
  touch: TOUCH,
  queue: QUEUE,
  through: THROUGH,
} as const satisfies Readonly<Record<string, FillModel>>;

export type Scenario = keyof typeof FILL_MODELS;

export const SCENARIOS = Object.keys(FILL_MODELS) as readonly Scenario[];
