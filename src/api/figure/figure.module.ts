import { Module } from '@nestjs/common';
import { FiguresController } from './figure.controller.js';
import { FigureService } from './figure.service.js';

@Module({ controllers: [FiguresController], providers: [FigureService] })
export class FigureModule {}
