/** The guide's `docker run` lines, taken apart, so that another program can do what they ask for. */

export interface DockerRun {
  readonly image: string;
  /** What follows the image's name, in place of the image's own command. */
  readonly args: readonly string[];
  readonly isReadOnly: boolean;
  readonly tmpfs: readonly string[];
  /** Names of variables that are passed on. */
  readonly environment: readonly string[];
  readonly volumes: readonly DockerVolume[];
}

export interface DockerVolume {
  /** A path of the machine, or the name of a volume. */
  readonly source: string;
  readonly target: string;
  readonly isReadOnly: boolean;
}

/** Options that change nothing for these checks, with the number of their values. */
const IGNORED: Readonly<Record<string, number>> = { '--rm': 0, '--stop-timeout': 1 };

/** Throws an Error that names what it does not understand. */
export function parseDockerRun(command: string): DockerRun {
  const words = command.trim().split(/\s+/);
  if (words.shift() !== 'docker' || words.shift() !== 'run')
    throw new Error(`this is no docker run: ${command}`);
  const found = {
    isReadOnly: false,
    tmpfs: [] as string[],
    environment: [] as string[],
    volumes: [] as DockerVolume[],
  };
  const value = (option: string): string => {
    const next = words.shift();
    if (next === undefined) throw new Error(`${option} has no value in: ${command}`);
    return next;
  };
  while (words[0]?.startsWith('-') === true) {
    const option = words.shift() ?? '';
    const ignored = IGNORED[option];
    if (ignored !== undefined) words.splice(0, ignored);
    else if (option === '--read-only') found.isReadOnly = true;
    else if (option === '--tmpfs') found.tmpfs.push(value(option));
    else if (option === '-e') found.environment.push(value(option));
    else if (option === '-v') found.volumes.push(volumeOf(value(option)));
    else throw new Error(`the option ${option} is not understood in: ${command}`);
  }
  return { ...found, image: value('docker run'), args: words };
}

function volumeOf(text: string): DockerVolume {
  const [source, target, mode, ...rest] = text.split(':');
  if (
    source === undefined ||
    target === undefined ||
    rest.length > 0 ||
    (mode !== undefined && mode !== 'ro')
  )
    throw new Error(`the volume ${text} is not understood`);
  return { source, target, isReadOnly: mode === 'ro' };
}
