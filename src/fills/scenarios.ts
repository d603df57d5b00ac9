/** The fill models of the scenarios of a backtest, from the most generous to the strictest. */
import type { FillModel } from './fill-model.ts';
import { QUEUE } from './power-queue.ts';
import { THROUGH } from './through.ts';
import { TOUCH } from './touch.ts';

export const FILL_MODELS: Readonly<Record<'touch' | 'queue' | 'through', FillModel>> = {
  touch: TOUCH,
  queue: QUEUE,
  through: THROUGH,
};
