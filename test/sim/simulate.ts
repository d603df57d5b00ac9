import { settle } from '../../src/app/adapters/virtual-clock.ts';
import { placeByHand } from './manual-orders.ts';
import { commanded } from './give-command.ts';
import { Judge, type Violation } from './invariants.ts';
import { REST_S } from './long-day.ts';
import { misquote } from './misquote.ts';
import { type Act, ATTEMPTS, NEEDS_RUN, type SimPlan } from './plan.ts';
import type { Planted } from './planted/planted.ts';
import { struckBy } from './reach.ts';
import type { TraceHashes } from './trace.ts';
import { KEY, type Run, World } from './world.ts';

export interface SimResult {
  readonly seed: number;
  readonly violations: readonly Violation[];
  readonly hashes: TraceHashes;
  readonly simulatedS: number;
  readonly orders: number;
  readonly fills: number;
  /** How long the daemon had orders open. */
  readonly quotingS: number;
  /** How often each fault and each recovery path was reached. */
  readonly reached: ReadonlyMap<string, number>;
  readonly log: readonly string[];
  /** Requests of all runs, and fills, in no particular order. */
  readonly timeline: readonly { readonly what: string; readonly atS: number }[];
  /** Borders that were crossed while a death at one was due. */
  readonly crossings: World['crossings'];
}

const STEP_MS = 1_000;
/** A service manager restarts a run that could not start after this long. */
const RESTART_S = 5;
/** Quotes go on at rest: both sides are compared until nothing is in flight. */
const [AGREEMENT_TRIES, AGREEMENT_MS] = [60, 330];
const DRAIN_MS = 20_000;
/** The interval at which the person on duty checks the daemon. */
const ATTEND_MS = 180_000;
/** A resumed daemon needs this long to be at rest. */
const LAST_LOOK_MS = 75_000;

/** Runs a plan and judges it. Stops at the first violation. `without`: see `Trace`. */
export async function simulate(
  plan: SimPlan,
  planted: Planted | null = null,
  without: readonly string[] = [],
): Promise<SimResult> {
  const undo = planted?.patch?.();
  try {
    return await liveThrough(new World(plan, planted, without), plan);
  } finally {
    undo?.();
  }
}

async function liveThrough(world: World, plan: SimPlan): Promise<SimResult> {
  const judge = new Judge(world, plan);
  const life = new Life(world, judge, plan);
  await life.live();
  life.noteFaults();
  const orders = world.orders.all();
  for (const { closedBy } of orders) if (closedBy === 'heartbeat') world.note('path: closed by heartbeat');
  world.wires.host.close();
  return {
    seed: plan.seed,
    violations: judge.violations,
    hashes: world.trace.hashes(),
    simulatedS: world.clock.monotonicMs() / 1000,
    orders: orders.length,
    quotingS: world.orders.quotingMs(world.clock.monotonicMs()) / 1000,
    fills: orders.reduce((sum, { fills }) => sum + fills.length, 0),
    reached: world.reached,
    log: world.log,
    timeline: timelineOf(world),
    crossings: world.crossings,
  };
}

function timelineOf(world: World): SimResult['timeline'] {
  const sent = world.requests.map(({ what, atMs }) => ({ what, atS: atMs / 1000 }));
  const fills = world.orders.all().flatMap(({ fills: list }) => list);
  return [...sent, ...fills.map(({ atMs }) => ({ what: 'fill', atS: (atMs - world.startMs) / 1000 }))];
}

/** An orderly stop under way. */
interface Ending {
  readonly run: Run;
  readonly untilMs: number;
  readonly downS: number;
  over: boolean;
}

class Life {
  readonly #world: World;
  readonly #judge: Judge;
  readonly #plan: SimPlan;
  readonly #acts: Act[];
  #restartAtMs: number | null = 0;
  #resumeAtMs: number | null = null;
  #unwedgeAtMs: number | null = null;
  #ending: Ending | null = null;
  #stopDownS = RESTART_S;
  #damageNoted = false;
  #repairAtMs = Infinity;
  #killedMs: number | null = null;
  #attendAtMs = ATTEND_MS;

  constructor(world: World, judge: Judge, plan: SimPlan) {
    [this.#world, this.#judge, this.#plan] = [world, judge, plan];
    this.#acts = [...plan.acts];
    world.onStopSignal = () => this.#signalled();
  }

  async live(): Promise<void> {
    for (const restS of this.#plan.restsS ?? []) {
      await this.#until(restS - REST_S);
      this.#disarm();
      await this.#restAt(restS);
    }
    await this.#until(this.#plan.activeS);
    if (this.#judge.violations.length > 0) return;
    this.#stopFaults();
    await this.#restAt(this.#plan.activeS + (this.#plan.restS ?? REST_S));
  }

  /** Acts and faults are over: the daemon must have come to rest by then. */
  async #restAt(restS: number): Promise<void> {
    await this.#until(restS);
    for (let tries = 0; tries < AGREEMENT_TRIES && !this.#judge.agrees(); tries++)
      await this.#step(AGREEMENT_MS);
    if (this.#judge.violations.length === 0) this.#judge.atRest();
  }

  /** Counts how often each fault that is still armed has struck. */
  noteFaults(): void {
    const { wires, clock, reached } = this.#world;
    for (const { fault, reached: times } of wires.host.faults.list(clock.wallMs())) {
      const what = `fault: ${fault.fault}`;
      if (times === 0) continue;
      for (const name of [what, struckBy(fault)]) reached.set(name, (reached.get(name) ?? 0) + times);
    }
  }

  #stopFaults(): void {
    const { host } = this.#world.wires;
    this.noteFaults();
    for (const { id } of host.faults.list(this.#world.clock.wallMs())) host.removeFault(id);
    this.#disarm();
  }

  /** Removes prepared failures that never struck, and corrects the wall clock, which reveals what a clock behind hid. */
  #disarm(): void {
    const { clock } = this.#world;
    clock.jumpWall(this.#world.startMs + clock.monotonicMs() - clock.wallMs());
    this.#world.disk.failsNext = null;
    this.#repairAtMs = 0;
    [this.#world.killAtPoint, this.#world.stopAtPoint] = [null, null];
  }

  async #until(untilS: number): Promise<void> {
    const { clock } = this.#world;
    while (clock.monotonicMs() < untilS * 1000 && this.#judge.violations.length === 0) {
      await this.#act();
      this.#unwedge();
      this.#resume();
      this.#attend(untilS * 1000 - clock.monotonicMs());
      this.#noteDamage();
      this.#end();
      await this.#revive();
      await this.#world.second.attend();
      await this.#step(Math.min(STEP_MS, untilS * 1000 - clock.monotonicMs(), this.#nextActMs()));
    }
  }

  /** Until the next act is due. */
  #nextActMs(): number {
    const atS = this.#acts[0]?.atS ?? Infinity;
    return Math.max(0, atS * 1000 - this.#world.clock.monotonicMs());
  }

  /** Moves time from event to event, and judges after each that can have changed something. */
  async #step(ms: number): Promise<void> {
    const { clock } = this.#world;
    const untilMs = clock.monotonicMs() + ms;
    let judged = this.#world.activity;
    await settle();
    while (await clock.runNext(untilMs)) {
      if (this.#world.activity !== judged) this.#judge.check();
      judged = this.#world.activity;
      if (this.#judge.violations.length > 0) return;
    }
    await clock.advance(untilMs - clock.monotonicMs());
    this.#judge.check();
  }

  async #revive(): Promise<void> {
    const { run, clock } = this.#world;
    if (run !== null && run.failure !== null) {
      this.#world.note('ended by itself');
      this.#world.kill();
      this.#restartIn(RESTART_S);
    }
    this.#repair();
    const { disk } = this.#world;
    const isMended = disk.damagedSeq === null;
    if (isMended && run?.composed.parts.orders.status().journalFailed === true) this.#replaceDisk();
    if (this.#world.run === null && this.#restartAtMs === null) this.#restartIn(RESTART_S);
    if (this.#restartAtMs === null || clock.monotonicMs() < this.#restartAtMs) return;
    this.#restartAtMs = null;
    this.#judge.revived();
    await this.#world.begin();
  }

  #repair(): void {
    if (this.#world.clock.monotonicMs() < this.#repairAtMs) return;
    this.#repairAtMs = Infinity;
    this.#world.disk.repair();
  }

  /** After a failed write only closing is possible until a person has repaired the disk and restarted. */
  #replaceDisk(): void {
    this.#world.note('restarted after a failed write');
    this.#world.kill();
    this.#restartIn(RESTART_S);
  }

  #restartIn(seconds: number): void {
    this.#restartAtMs = this.#world.clock.monotonicMs() + seconds * 1000;
  }

  async #act(): Promise<void> {
    const next = this.#acts[0];
    if (next === undefined || this.#world.clock.monotonicMs() < next.atS * 1000) return;
    this.#acts.shift();
    if (ATTEMPTS.has(next.do)) this.#world.note(`tried: ${next.do}`);
    else if (NEEDS_RUN.has(next.do) && this.#world.run === null)
      this.#world.note(`no run up for: ${next.do}`);
    else this.#world.note(`act: ${next.do}`);
    await this.#perform(next);
  }

  async #perform(act: Act): Promise<void> {
    const { clock, run } = this.#world;
    switch (act.do) {
      case 'kill':
        this.#world.kill();
        return this.#restartIn(act.downS);
      case 'kill_at_point':
        return void (this.#world.killAtPoint = act.point);
      case 'restart':
        return this.#restart(act.downS);
      case 'restart_at_point':
        [this.#world.stopAtPoint, this.#stopDownS] = [act.point, act.downS];
        return;
      case 'jump_wall':
        return clock.jumpWall(act.byS * 1000);
      case 'disk_full':
        this.#world.disk.failsNext = act.kept ? 'kept' : 'lost';
        return;
      case 'damage_journal':
        this.#world.kill();
        this.#world.disk.damage(act.of);
        this.#repairAtMs = clock.monotonicMs() + (act.downS + act.forS) * 1000;
        return this.#restartIn(act.downS);
      case 'stall':
        // A stall that waits for an orderly stop still ends at its planned time, which the judge uses.
        return run?.process.stall((act.atS + act.forS) * 1000);
      case 'kill_switch':
        return this.#killSwitch(act.forS);
      case 'order_by_hand':
        return this.#orderByHand(act.rests);
      case 'wedge':
        return this.#wedge(act.forS);
      case 'misquote':
        return misquote(this.#world, act);
      case 'second_trader':
        return this.#world.second.come(act);
      case 'start_second':
        return run === null ? undefined : this.#world.beginAnother();
    }
  }

  #killSwitch(forS: number): void {
    const { run, clock } = this.#world;
    if (run === null || this.#resumeAtMs !== null) return;
    const isCarriedOut = commanded(run, () => run.daemon.controls().kill('a drill', 'the simulation'));
    this.#world.note('act: kill_switch');
    if (!run.started) this.#world.note('path: killed while recovering');
    // A command that dies with the daemon was journalled or not. Nobody knows, and a person resumes all the same.
    this.#killedMs = isCarriedOut ? clock.monotonicMs() : null;
    this.#judge.killedSinceMs = this.#killedMs;
    this.#resumeAtMs = clock.monotonicMs() + forS * 1000;
  }

  /** A person resumes when it is time and a daemon is up to receive it. */
  #resume(): void {
    const { run, clock } = this.#world;
    if (run === null || this.#resumeAtMs === null || clock.monotonicMs() < this.#resumeAtMs) return;
    // A run that cannot read its journal need not know of the kill. It places nothing, and a person repairs the journal
    // first.
    if (this.#world.disk.damageMet) return;
    if (run.composed.core.risk.killed === null && this.#killedMs !== null) this.#judge.killWasLost();
    this.#judge.killedSinceMs = null;
    run.received.keyTried();
    commanded(run, () => run.daemon.controls().resume('the drill is over', 'the simulation'));
    // A resume that cannot be journalled is refused, and repeated to the next run.
    if (run.composed.core.risk.killed === null) this.#resumeAtMs = null;
    else this.#judge.killedSinceMs = this.#killedMs;
  }

  /** A person on duty checks now and then, and once before the rest, and resumes the daemon after a limit. */
  #attend(leftMs: number): void {
    const { run, clock } = this.#world;
    const isDue = clock.monotonicMs() >= this.#attendAtMs || leftMs < LAST_LOOK_MS + STEP_MS;
    if (run?.started !== true || this.#resumeAtMs !== null || !isDue || leftMs < LAST_LOOK_MS) return;
    this.#attendAtMs = clock.monotonicMs() + ATTEND_MS;
    const { riskInputs, orders } = run.composed.parts;
    if (riskInputs.obstacles().length === 0 && orders.status().latched === null) return;
    run.received.keyTried();
    commanded(run, () => run.daemon.controls().resume('looked into it', 'the person on duty'));
    this.#world.note('resumed by the person on duty');
  }

  #orderByHand(rests: boolean): void {
    const { wires, clock } = this.#world;
    const event = this.#world.inspectEvents().find(({ sport, phase }) => sport === 'fb' && phase === 'live');
    if (event === undefined) return;
    void placeByHand(
      { http: wires.http, clock, key: KEY },
      {
        sport: event.sport,
        eventId: event.eventId,
        rests,
        againstPrices: this.#plan.world.againstPrices ?? 'lay',
      },
    ).then((placed) => void (placed && this.#world.note('act: order_by_hand')));
  }

  #wedge(forS: number): void {
    const { run, clock } = this.#world;
    if (run?.started !== true) return;
    this.#world.note('act: wedge');
    const sinceMs = clock.monotonicMs();
    Object.assign(run.composed.engine, { idleMs: () => clock.monotonicMs() - sinceMs });
    this.#judge.wedgedSinceMs = sinceMs;
    this.#unwedgeAtMs = clock.monotonicMs() + forS * 1000;
  }

  /** A person, or the service manager's watchdog, ends a process that hangs. */
  #unwedge(): void {
    const { run, clock } = this.#world;
    if (this.#unwedgeAtMs === null || (run !== null && clock.monotonicMs() < this.#unwedgeAtMs)) return;
    this.#unwedgeAtMs = null;
    this.#judge.wedgedSinceMs = null;
    if (run !== null) this.#world.kill();
    this.#restartIn(RESTART_S);
  }

  /** An orderly stop, as SIGTERM asks for, and a new start. */
  async #restart(downS: number): Promise<void> {
    const { run } = this.#world;
    if (run === null) return;
    // A process stops once, however often a stop is requested.
    const ending = this.#ending?.run === run ? this.#ending : this.#stop(run, downS);
    for (let waitedMs = 0; !ending.over && waitedMs < 2 * DRAIN_MS; waitedMs += STEP_MS)
      await this.#step(STEP_MS);
    this.#world.kill();
    this.#restartIn(downS);
  }

  #stop(run: Run, downS: number): Ending {
    run.ending = true;
    const ending = { run, untilMs: this.#world.clock.monotonicMs() + 2 * DRAIN_MS, downS, over: false };
    void run.daemon
      .stop('restart', DRAIN_MS)
      .catch((error: unknown) => {
        if (run.process.alive) throw error;
      })
      .finally(() => (ending.over = true));
    return ending;
  }

  /** A stop in the middle of any work of the daemon. The day goes on meanwhile. */
  #signalled(): void {
    const { run } = this.#world;
    if (run === null || this.#ending?.run === run) return;
    this.#world.note('act: restart_at_point');
    this.#ending = this.#stop(run, this.#stopDownS);
  }

  /** The stopped run is over, or has had its time. */
  #end(): void {
    const [{ run, clock }, ending] = [this.#world, this.#ending];
    if (ending === null) return;
    const isUp = ending.run === run;
    if (isUp && !ending.over && clock.monotonicMs() < ending.untilMs) return;
    this.#ending = null;
    if (!isUp) return;
    this.#world.kill();
    this.#restartIn(ending.downS);
  }

  /** A damaged record counts once a run has met it. */
  #noteDamage(): void {
    if (this.#world.disk.damageMet && !this.#damageNoted) this.#world.note('act: damage_journal');
    this.#damageNoted = this.#world.disk.damageMet;
  }
}
