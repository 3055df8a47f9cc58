import { Module } from '@nestjs/common';
import { DeliveryController, UserDeliveryController, WithheldController } from './delivery.controller.js';
import { DeliveryService } from './delivery.service.js';
import { UserDeliveryService } from './user-delivery.service.js';
import { WithheldService } from './withheld.service.js';

@Module({
  controllers: [DeliveryController, UserDeliveryController, WithheldController],
  providers: [DeliveryService, UserDeliveryService, WithheldService],
})
export class DeliveryModule {}
