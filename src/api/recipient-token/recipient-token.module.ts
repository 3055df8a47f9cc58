import { Module } from '@nestjs/common';
import { PreflightController } from './preflight.controller.js';
import { RecipientTokenController } from './recipient-token.controller.js';
import { RecipientTokenService } from './recipient-token.service.js';
import { SigningSecretController } from './signing-secret.controller.js';
import { SigningSecretService } from './signing-secret.service.js';

@Module({
  controllers: [RecipientTokenController, SigningSecretController, PreflightController],
  providers: [RecipientTokenService, SigningSecretService],
})
export class RecipientTokenModule {}
