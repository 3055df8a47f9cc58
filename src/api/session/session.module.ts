import { Module } from '@nestjs/common';
import { CONFIG } from '../../platform/config/config.js';
import type { Config } from '../../platform/config/config.js';
import { OidcController } from './oidc/oidc.controller.js';
import { OidcService } from './oidc/oidc.service.js';
import { PROVIDERS } from './oidc/provider.js';
import type { Provider } from './oidc/provider.js';
import { OrganizationSessionController } from './organization-session.controller.js';
import { SessionController } from './session.controller.js';
import { SessionService } from './session.service.js';

@Module({
  controllers: [SessionController, OrganizationSessionController, OidcController],
  providers: [SessionService, OidcService, { provide: PROVIDERS, useFactory: readProviders, inject: [CONFIG] }],
})
export class SessionModule {}

async function readProviders({ oidcFile }: Config): Promise<Provider[]> {
  return oidcFile === null ? [] : (await import('./oidc/provider-file.js')).readProviders(oidcFile);
}
