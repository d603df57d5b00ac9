import { KEY } from '../sim/compose-run.ts';
import type { World } from '../sim/world.ts';

const TIMEOUT_MS = 5_000;
const LEAST_TIMEOUT_S = 10;

/** Another program on the account: it keeps a heartbeat, and does nothing else. */
export class HeartbeatProgram {
  heartbeatId = '';
  /** Whether its last refresh succeeded. */
  isAlive = false;
  readonly #world: World;
  readonly #everyMs: number;

  constructor(world: World, everyMs: number) {
    [this.#world, this.#everyMs] = [world, everyMs];
  }

  /** Creates the heartbeat, and refreshes it from then on while time passes. */
  async begin(): Promise<void> {
    const timeout = Math.max(LEAST_TIMEOUT_S, Math.ceil((3 * this.#everyMs) / 1000));
    const creating = this.#post('/v2/heartbeats/', { timeout });
    await this.#world.clock.advance(TIMEOUT_MS);
    const { data } = JSON.parse((await creating).body) as {
      readonly data: { readonly heartbeat_id: string };
    };
    this.heartbeatId = data.heartbeat_id;
    this.#refresh();
  }

  #refresh(): void {
    void this.#post(`/v2/heartbeats/${this.heartbeatId}/refresh/`, {}).then(
      ({ status }) => (this.isAlive = status === 200),
    );
    this.#world.clock.after(this.#everyMs, () => this.#refresh());
  }

  #post(path: string, body: object) {
    const headers = { 'x-api-key': KEY, 'content-type': 'application/json' };
    const request = { method: 'POST', path, headers, body: JSON.stringify(body), timeoutMs: TIMEOUT_MS };
    return this.#world.wires.http.send({ ...request, method: 'POST' });
  }
}
