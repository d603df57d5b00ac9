import { KEY } from '../world.ts';
import type { MakeJudgement } from './judge.ts';

/** 28, and our own invariants: what the daemon says of itself. */
export const ownWords: MakeJudgement = ({ world, fail }) => {
  let judgedLog = 0;
  return {
    onEvent() {
      const fresh = world.log.slice(judgedLog);
      judgedLog = world.log.length;
      const leak = fresh.find((line) => line.includes(KEY));
      if (leak !== undefined) fail('28 secret', leak);
      const failure = world.run?.failure;
      if (failure instanceof Error && failure.name === 'InvariantError')
        fail('our own invariants', String(failure));
    },
  };
};
