import { BetslipDesk, type Betslips } from '../betslips/desk.ts';
import type { BetslipPool } from '../betslips/pool.ts';
import type { ExecutionReports } from '../outcomes/execution-reports.ts';
import type { FruitlessOrders } from '../outcomes/fruitless-orders.ts';
import type { OrderContext } from '../state/context.ts';
import { BetslipWishes } from './betslip-wishes.ts';
import { BlockedQuotes } from './blocked.ts';
import { CreateAnswers } from './create-answers.ts';
import type { AccountProof } from './gate-facts.ts';
import { Judge } from './judge.ts';
import { Placer } from './placer.ts';
import { QuotePauses } from './quote-pauses.ts';
import { StrategyTurns } from './strategy-turns.ts';
import { Targets } from './targets.ts';

/** What a quote passes through until it is an order. */
export interface QuotePath {
  readonly targets: Targets;
  readonly turns: StrategyTurns;
  readonly pauses: QuotePauses;
  readonly judge: Judge;
  readonly blocked: BlockedQuotes;
  readonly wishes: BetslipWishes;
  readonly betslips: Betslips;
  readonly placer: Placer;
}

/** The parts of the manager around the path. */
export interface AroundQuotes {
  readonly proof: AccountProof;
  readonly pool: BetslipPool;
  readonly reports: ExecutionReports;
  readonly fruitless: FruitlessOrders;
}

export function quotePath(context: OrderContext, around: AroundQuotes): QuotePath {
  const { proof, pool, reports, fruitless } = around;
  const now = (): number => context.deps.clock.monotonicMs();
  const betslips = { desk: new BetslipDesk(context, pool), pool };
  const targets = new Targets(context.owners);
  const turns = new StrategyTurns(now);
  const pauses = new QuotePauses(now, fruitless);
  const judge = new Judge(context, proof, betslips, turns, pauses, targets);
  const answers = new CreateAnswers(context, reports, pool, pauses);
  const placer = new Placer(context, judge, proof, turns, answers);
  const blocked = new BlockedQuotes(context, proof, turns, targets);
  const wishes = new BetslipWishes(judge, targets);
  return { targets, turns, pauses, judge, blocked, wishes, betslips, placer };
}
