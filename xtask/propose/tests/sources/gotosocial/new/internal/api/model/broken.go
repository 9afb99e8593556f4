package model

func broken( {
