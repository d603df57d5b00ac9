import { type Check, refusal } from './context.ts';

/** Refuses orders while a guard pulls the quotes. */
export const guarded: Check = ({ alarms }) => {
  const alarm = alarms.find(({ effect }) => effect === 'pull');
  return alarm === undefined ? null : refusal(`guard_${alarm.guard}`, alarm.why, alarm.actual, alarm.limit);
};
