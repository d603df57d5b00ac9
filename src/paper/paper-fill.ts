import { FILL_MODELS } from '../fills/scenarios.ts';
import type { FillModel } from '../fills/fill-model.ts';
import type { ReportedFill } from '../simulator/core/api.ts';

/** A fill model of a paper run. */
export type Scenario = keyof typeof FILL_MODELS;

/** From the most generous to the strictest. */
export const SCENARIOS = Object.keys(FILL_MODELS) as readonly Scenario[];

/** A fill of the paper account, or one that its orders would have had under another fill model. */
export interface PaperFill extends Omit<ReportedFill, 'model'> {
  readonly model: Scenario;
}

/** The models that run beside the one of the account. */
export const othersThan = (account: Scenario): Readonly<Record<string, FillModel>> =>
  Object.fromEntries(Object.entries(FILL_MODELS).filter(([name]) => name !== account));

/** The fill with the name of its model. */
export const paperFillOf = (account: Scenario, { model, ...fill }: ReportedFill): PaperFill => ({
  ...fill,
  model: SCENARIOS.find((each) => each === model) ?? account,
});
