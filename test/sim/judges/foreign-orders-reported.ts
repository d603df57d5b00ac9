import { reportedBy } from '../reported.ts';
import type { Run } from '../world.ts';
import type { MakeJudgement } from './judge.ts';

/** 3: a run that has started reports every order of others that was open before it began. */
export const othersKnown: MakeJudgement = ({ world, fail }) => {
  let judged: Run | null = null;
  return {
    onEvent() {
      const { run, startMs } = world;
      if (run === null || run === judged || !run.started) return;
      judged = run;
      const others = world.orders.open().filter(({ requestUuid }) => requestUuid === null);
      if (others.length === 0) return;
      const reported = reportedBy(run);
      for (const { orderId, createdMs } of others)
        if (createdMs - startMs < run.begunMs && !reported.has(orderId))
          fail(
            '3 others reported',
            `order ${orderId} is open, and a run that has started does not tell of it`,
          );
    },
  };
};
