import { type Check, refusal } from './context.ts';

/** Nothing while a guard has taken the quotes away. */
export const guarded: Check = ({ alarms }) => {
  const alarm = alarms.find(({ effect }) => effect === 'pull');
  return alarm === undefined ? null : refusal(`guard_${alarm.guard}`, alarm.why, alarm.actual, alarm.limit);
};
