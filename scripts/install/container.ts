/** A container of the built image: what `docker run` makes of a command, made with an OCI runtime. */
import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import type { Cleanup } from './cleanup.ts';
import type { DockerRun, DockerVolume } from './docker-run.ts';
import { type ImageSettings, userIn } from './image.ts';
import { eventually, must, Program, run, type Result } from './processes.ts';

const START_MS = 20_000;

/** A network of its own with nothing but loopback. */
export class Network {
  readonly #holder: number;

  private constructor(holder: number) {
    this.#holder = holder;
  }

  static async make(cleanup: Cleanup): Promise<Network> {
    const holder = new Program(['unshare', '--net', 'sleep', 'infinity']);
    cleanup.defer(() => {
      holder.child.kill('SIGKILL');
      return holder.ended;
    });
    const network = new Network(holder.child.pid ?? 0);
    const own = `${statSync('/proc/self/ns/net').ino}`;
    await eventually('the network is made', START_MS, () => `${statSync(network.path).ino}` !== own);
    await must([...network.enter, 'ip', 'link', 'set', 'lo', 'up']);
    return network;
  }

  get path(): string {
    return `/proc/${this.#holder}/ns/net`;
  }

  /** The command that enters it. */
  get enter(): readonly string[] {
    return ['nsenter', `--net=${this.path}`];
  }
}

export interface Place {
  /** The container's root folder. */
  readonly root: string;
  /** The folder in which the guide's command is run; the paths of its volumes count from here. */
  readonly here: string;
  /** Folders of named volumes, kept from one container to the next. */
  readonly volumes: string;
  readonly bundle: string;
  readonly network: Network;
  readonly image: ImageSettings;
  /** Variables of the operator's shell. */
  readonly environment: Readonly<Record<string, string>>;
}

interface Mount {
  readonly destination: string;
  readonly type: string;
  readonly source: string;
  readonly options: readonly string[];
}

interface Spec {
  process: Record<string, unknown>;
  root: { path: string; readonly: boolean };
  mounts: Mount[];
  linux: { namespaces: { type: string; path?: string }[] };
}

export class Container {
  readonly program: Program;
  readonly #id: string;
  readonly #state: string;

  private constructor(id: string, state: string) {
    this.#id = id;
    this.#state = state;
    this.program = new Program(this.#runc(['run', '--bundle', path.dirname(state), id]));
  }

  /** Starts what `docker run` would start. */
  static async start(command: DockerRun, place: Place, cleanup: Cleanup): Promise<Container> {
    const { bundle } = place;
    mkdirSync(path.join(bundle, 'state'), { recursive: true });
    await must(['runc', 'spec'], { cwd: bundle });
    const file = path.join(bundle, 'config.json');
    const spec = JSON.parse(readFileSync(file, 'utf8')) as Spec;
    writeFileSync(file, JSON.stringify(specOf(spec, command, place)));
    const container = new Container(
      `touchline-${process.pid}-${path.basename(bundle)}`,
      path.join(bundle, 'state'),
    );
    cleanup.defer(async () => {
      await run(container.#runc(['delete', '--force', container.#id]));
      await container.program.ended;
    });
    await eventually('the container runs', START_MS, async () => {
      if (container.program.isOver) throw new Error(`the container ended:\n${container.program.tail()}`);
      return (await run(container.#runc(['state', container.#id]))).code === 0;
    });
    return container;
  }

  #runc(args: readonly string[]): readonly string[] {
    return ['runc', '--root', this.#state, ...args];
  }

  /** The process id of the container's first process, on this machine. */
  async pid(): Promise<number> {
    return (JSON.parse(await must(this.#runc(['state', this.#id]))) as { pid: number }).pid;
  }

  /** What `docker exec` does. */
  exec(...command: readonly string[]): Promise<Result> {
    return run(this.#runc(['exec', this.#id, ...command]));
  }

  /** What `docker kill -s SIGNAL` does. */
  async signal(signal: string): Promise<void> {
    await must(this.#runc(['kill', this.#id, signal]));
  }
}

/** The runtime's own example, changed into what the image and the command ask for. No capability is given. */
function specOf(example: Spec, command: DockerRun, place: Place): Spec {
  const { image, root, network } = place;
  const { uid, gid } = userIn(root, image.User);
  const args = [...image.Entrypoint, ...(command.args.length > 0 ? command.args : image.Cmd)];
  const passed = command.environment.map((name) => `${name}=${place.environment[name] ?? ''}`);
  const none = { bounding: [], effective: [], inheritable: [], permitted: [], ambient: [] };
  const anonymous = Object.keys(image.Volumes).filter((target) =>
    command.volumes.every((each) => each.target !== target),
  );
  return {
    ...example,
    process: {
      ...example.process,
      terminal: false,
      user: { uid, gid },
      args,
      cwd: image.WorkingDir,
      capabilities: none,
      env: [...image.Env, `HOME=/home/${image.User}`, ...passed],
      noNewPrivileges: true,
    },
    root: { path: root, readonly: command.isReadOnly },
    mounts: [
      ...example.mounts.filter(({ type }) => type !== 'cgroup'),
      ...command.tmpfs.map((target) => tmpfs(target)),
      ...command.volumes.map((volume) => volumeMount(volume, place)),
      ...anonymous.map((target) =>
        bind(volumeFolder(place.bundle, 'anonymous', target, root), target, false),
      ),
    ],
    linux: {
      ...example.linux,
      namespaces: example.linux.namespaces.map((each) =>
        each.type === 'network' ? { ...each, path: network.path } : each,
      ),
    },
  };
}

const tmpfs = (destination: string): Mount => ({
  destination,
  type: 'tmpfs',
  source: 'tmpfs',
  options: ['nosuid', 'nodev', 'noexec', 'mode=1777'],
});

const bind = (source: string, destination: string, isReadOnly: boolean): Mount => ({
  destination,
  type: 'bind',
  source,
  options: ['rbind', ...(isReadOnly ? ['ro'] : [])],
});

function volumeMount({ source, target, isReadOnly }: DockerVolume, { here, volumes, root }: Place): Mount {
  const folder = /^[./]/.test(source)
    ? path.resolve(here, source)
    : volumeFolder(volumes, source, target, root);
  return bind(folder, target, isReadOnly);
}

/** The folder of a volume. A new one gets owner and mode of the image's folder, as Docker does for one without content. */
function volumeFolder(volumes: string, name: string, target: string, root: string): string {
  const folder = path.join(volumes, name);
  if (existsSync(folder)) return folder;
  const { uid, gid, mode } = statSync(path.join(root, target));
  if (readdirSync(path.join(root, target)).length > 0)
    throw new Error(`the image has files in ${target}; filling a volume with them is not supported here`);
  mkdirSync(folder, { recursive: true, mode: mode & 0o777 });
  chownSync(folder, uid, gid);
  return folder;
}
