import { Module } from '@nestjs/common';
import { DeliveryController, UserDeliveryController } from './delivery.controller.js';
import { DeliveryService } from './delivery.service.js';
import { UserDeliveryService } from './user-delivery.service.js';

@Module({
  controllers: [DeliveryController, UserDeliveryController],
  providers: [DeliveryService, UserDeliveryService],
})
export class DeliveryModule {}
