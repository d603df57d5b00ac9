import type { ResumeReport } from '../../src/engine/kill/resume.ts';
import type { AdminControls } from '../../src/ops/commands/controls.ts';
import type { InspectedOrder } from '../../src/simulator/core/api.ts';
import type { DaemonPlan, SimPlan, WorldPlan } from '../sim/plan.ts';
import { isCreate } from '../sim/witness.ts';
import { type Run, World } from '../sim/world.ts';
import { ACCOUNT } from '../../src/risk/index.ts';

export interface CalmDayOptions {
  readonly world?: Partial<WorldPlan>;
  readonly daemon?: Partial<DaemonPlan>;
  readonly faults?: SimPlan['faults'];
  /** Further settings of the daemon. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The test itself matches an order as soon as it exists: by default placement takes no time. */
const planOf = ({ world, daemon, faults = [] }: CalmDayOptions): SimPlan => ({
  seed: 7,
  activeS: 600,
  world: {
    events: 3,
    speed: 1,
    latencyMs: [10, 60],
    openBetslips: 20,
    betslipsPerDay: 2_000,
    placement: 'at once',
    ...world,
  },
  daemon: {
    strategy: 'symmetric',
    durationS: 60,
    heartbeatS: 30,
    maxSelections: 2,
    inPlay: false,
    eventLimitUsdt: 4_000,
    ...daemon,
  },
  acts: [],
  faults,
});

const PATIENCE_MS = 60_000;
const STEP_MS = 100;

/** The whole daemon on the simulated exchange, on virtual time. Only the test makes anything happen. */
export class CalmDay {
  readonly world: World;
  readonly #plan: SimPlan;

  constructor(options: CalmDayOptions = {}) {
    const { settings = {} } = options;
    this.#plan = planOf(options);
    this.world = new World(this.#plan, { name: 'none', settings });
  }

  /** Starts a run (or the next one on the same disk) and waits until it quotes, unless it will not. */
  async begin(quoting = true): Promise<void> {
    await this.world.begin();
    await this.until('started', () => this.run.started);
    if (quoting) await this.until('quoting', () => this.open().length > 1);
  }

  /** The next run has another strategy in its configuration. */
  useStrategy(strategy: string): void {
    Object.assign(this.#plan.daemon, { strategy });
  }

  /** Ends the run as kill -9 does, and lets its open orders lapse. */
  async crash(): Promise<void> {
    this.world.kill();
    await this.pass(90_000);
  }

  /** Stops the run as SIGTERM does, until the process is gone. */
  async stop(): Promise<void> {
    const stopped = this.run.daemon.stop('restart', 10_000);
    await this.pass(5_000);
    await stopped;
    this.world.kill();
  }

  get run(): Run {
    const { run } = this.world;
    if (run === null) throw new Error('no run is up');
    if (run.failure !== null) throw new Error('the run has failed', { cause: run.failure });
    return run;
  }

  get controls(): AdminControls {
    return this.run.daemon.controls();
  }

  /** Halts the account. */
  halt(why: string): void {
    this.run.composed.core.apply({ kind: 'state', scope: ACCOUNT, state: 'halted', by: 'test', why });
  }

  resume(reason = 'looked into it'): ResumeReport {
    return this.controls.resume(reason, 'a person') as ResumeReport;
  }

  /** Our orders that are open on the exchange. */
  open(): readonly InspectedOrder[] {
    return this.world.exchange
      .inspect()
      .orders.filter(({ closed, requestUuid }) => !closed && requestUuid !== null);
  }

  /** The create requests of this run so far. */
  creates(): number {
    return this.run.witness.sent.filter(isCreate).length;
  }

  pass(ms: number): Promise<void> {
    return this.world.clock.advance(ms);
  }

  /** Moves time until a condition holds. */
  async until(what: string, isSo: () => boolean): Promise<void> {
    for (let waitedMs = 0; !isSo(); waitedMs += STEP_MS) {
      if (waitedMs > PATIENCE_MS)
        throw new Error(`waited in vain: ${what}\n${this.world.log.slice(-8).join('\n')}`);
      await this.pass(STEP_MS);
    }
  }
}
