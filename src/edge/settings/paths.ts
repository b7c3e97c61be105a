/** Where the program keeps its files (contract: Files). Pure; nothing is created here. */
import { posix, win32 } from 'node:path';

export interface HomePaths {
  config: string;
  /** Holds config and locks. */
  configFolder: string;
  /** Holds all below. */
  dataFolder: string;
  sessions: string;
  history: string;
  drafts: string;
  outputs: string;
  locks: string;
}

export interface Place {
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** The user's own folder. */
  home: string;
  /** What a relative HARNESS_CHAT_HOME starts from. */
  cwd: string;
}

const NAME = 'harness-chat';

export function homePaths(place: Place): HomePaths {
  const path = place.platform === 'win32' ? win32 : posix;
  const { configFolder, dataFolder } = folders(place);
  return {
    config: path.join(configFolder, 'config.json'),
    configFolder,
    dataFolder,
    sessions: path.join(dataFolder, 'sessions'),
    history: path.join(dataFolder, 'history.jsonl'),
    drafts: path.join(dataFolder, 'drafts'),
    outputs: path.join(dataFolder, 'outputs'),
    locks: path.join(dataFolder, 'locks'),
  };
}

function folders({ env, platform, home, cwd }: Place): { configFolder: string; dataFolder: string } {
  const path = platform === 'win32' ? win32 : posix;
  if (env.HARNESS_CHAT_HOME) {
    const moved = path.resolve(cwd, env.HARNESS_CHAT_HOME);
    return { configFolder: moved, dataFolder: moved };
  }
  if (platform === 'win32') {
    const roaming = env.APPDATA || path.join(home, 'AppData', 'Roaming');
    const local = env.LOCALAPPDATA || path.join(home, 'AppData', 'Local');
    return { configFolder: path.join(roaming, NAME, 'Config'), dataFolder: path.join(local, NAME, 'Data') };
  }
  if (platform === 'darwin') {
    const library = path.join(home, 'Library');
    return {
      configFolder: path.join(library, 'Preferences', NAME),
      dataFolder: path.join(library, 'Application Support', NAME),
    };
  }
  // a relative XDG folder is to be ignored, says its specification
  const xdg = (value: string | undefined, usual: string) => (value && path.isAbsolute(value) ? value : usual);
  return {
    configFolder: path.join(xdg(env.XDG_CONFIG_HOME, path.join(home, '.config')), NAME),
    dataFolder: path.join(xdg(env.XDG_DATA_HOME, path.join(home, '.local', 'share')), NAME),
  };
}
