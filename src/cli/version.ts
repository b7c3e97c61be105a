import manifest from '../../package.json' with { type: 'json' };

/** The bundler puts the manifest's text in place. */
export const VERSION: string = manifest.version;
