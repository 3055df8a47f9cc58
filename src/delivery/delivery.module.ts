import { Module } from '@nestjs/common';
import { DeliveryController, UserDeliveryController } from './delivery.controller.js';
import { DeliveryService } from './delivery.service.js';

@Module({ controllers: [DeliveryController, UserDeliveryController], providers: [DeliveryService] })
export class DeliveryModule {}
