/** The image of the Dockerfile, built by buildah in a store of its own. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { addNode, NPM_SETTINGS, unpackDebian } from './base.ts';
import type { Cleanup } from './cleanup.ts';
import { CERTIFICATES, type Npm } from './host.ts';
import { must, run } from './processes.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const BUILD_MS = 1_200_000;

/** What an image says about its containers. */
export interface ImageSettings {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly Volumes: Readonly<Record<string, unknown>>;
  readonly WorkingDir: string;
  readonly StopSignal: string;
  readonly Healthcheck?: { readonly Test: readonly string[] };
}

/**
 * The name of the Dockerfile's base image, as `node:VERSION-bookworm-slim`. Throws an Error if a stage begins with another image,
 * or if the base is not named by its digest, too.
 */
export function baseImageOf(dockerfile: string): string {
  const stages = new Set([...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, name = '']) => name));
  if ([...stages].join() !== '$BASE')
    throw new Error(`the Dockerfile begins with ${[...stages].join(' and ') || 'no image'}, not with $BASE`);
  const name = /^ARG BASE=(\S+)@sha256:[0-9a-f]{64}$/m.exec(dockerfile)?.[1];
  if (name === undefined) throw new Error('the Dockerfile does not name BASE with its digest');
  return name;
}

export class ImageStore {
  readonly #folder: string;
  readonly #npm: Npm;

  constructor(folder: string, npm: Npm, cleanup: Cleanup) {
    this.#folder = folder;
    this.#npm = npm;
    cleanup.defer(() => this.#remove());
  }

  #buildah(args: readonly string[], options?: Parameters<typeof must>[1]): Promise<string> {
    const store = ['--root', path.join(this.#folder, 'storage'), '--runroot', path.join(this.#folder, 'run')];
    return must(['buildah', ...store, ...args], options);
  }

  /** Removes containers, mounts and images. */
  async #remove(): Promise<void> {
    await this.#buildah(['rm', '--all']);
    await run(['umount', path.join(this.#folder, 'storage/overlay')]);
  }

  /**
   * Makes an image like Node's own of this name: a small Debian with Node, npm and the user `node`. Throws an Error if this
   * process is not the Node that the name asks for.
   */
  async makeBase(name: string): Promise<string> {
    const version = /^node:(\d+\.\d+\.\d+)-bookworm-slim$/.exec(name)?.[1];
    if (version !== process.versions.node)
      throw new Error(
        `the Dockerfile begins with ${name}, but this clone's Node is ${process.versions.node}`,
      );
    const root = path.join(this.#folder, 'base');
    const origin = await unpackDebian(root, []);
    await addNode(root, this.#npm);
    await must(['chroot', root, 'useradd', '--uid', '1000', '--user-group', '--create-home', 'node']);
    const container = await this.#buildah(['from', 'scratch']);
    await this.#buildah(['add', '--quiet', container, root, '/']);
    await this.#buildah(['config', '--cmd', 'node', container]);
    await this.#buildah(['commit', '--quiet', '--rm', container, name]);
    return origin;
  }

  /** Does what `docker build -t TAG .` does in this clone, on the image `base`, without asking a registry of images. */
  async build(tag: string, base: string): Promise<void> {
    const settings = path.join(this.#folder, 'npmrc');
    writeFileSync(settings, this.#npm.settings);
    const mounts = [`${settings}:${NPM_SETTINGS}:ro`];
    if (this.#npm.certificates !== null) mounts.push(`${this.#npm.certificates}:${CERTIFICATES}:ro`);
    const volumes = mounts.flatMap((mount) => ['--volume', mount]);
    const how = [
      '--pull-never',
      '--isolation',
      'chroot',
      '--format',
      'docker',
      '--build-arg',
      `BASE=${base}`,
    ];
    await this.#buildah(['bud', ...how, ...volumes, '--tag', tag, ROOT], { timeoutMs: BUILD_MS });
  }

  async settings(tag: string): Promise<ImageSettings> {
    const { Docker } = JSON.parse(await this.#buildah(['inspect', '--type', 'image', tag])) as {
      readonly Docker: { readonly config: ImageSettings };
    };
    return Docker.config;
  }

  /** The root folder of a new container of the image, and its name for {@link remove}. */
  async mount(tag: string): Promise<string> {
    const container = await this.#buildah(['from', '--pull-never', tag]);
    return this.#buildah(['mount', container]);
  }
}

/** Reads `NAME:x:UID:GID:` from a container's `etc/passwd`. Throws an Error if the user is unknown. */
export function userIn(root: string, name: string): { readonly uid: number; readonly gid: number } {
  const line = readFileSync(path.join(root, 'etc/passwd'), 'utf8')
    .split('\n')
    .find((user) => user.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (uid === undefined || gid === undefined) throw new Error(`the image has no user ${name}`);
  return { uid: Number(uid), gid: Number(gid) };
}

export const folderIn = (folder: string, name: string): string => {
  const made = path.join(folder, name);
  mkdirSync(made, { recursive: true });
  return made;
};
