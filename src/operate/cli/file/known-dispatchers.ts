import { Outbound } from '../../../dispatcher/outbound/outbound.js';
import { dispatchers } from '../../../dispatcher/registry.js';
import { settingOf } from '../../../platform/config/config.js';

/** For a command that sends nothing: they only tell which settings their channels have. */
export const knownDispatchers = () =>
  dispatchers({
    outbound: new Outbound({ allow: [] }),
    log: () => undefined,
    bounces: null,
    providersDir: settingOf('PROVIDERS_DIR'),
  });
