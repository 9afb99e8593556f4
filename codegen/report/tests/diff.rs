//! The diff: pairs of states for each rule, random edits of the real catalogue, and the laws that a comparison obeys.

#![allow(clippy::panic, reason = "a broken fixture has to say what is wrong with it")]

mod diff {
    mod accepted;
    mod composition;
    mod each_fact;
    mod edits;
    mod facts;
    mod fixtures;
    mod harm;
    mod laws;
    mod measured;
    mod modes;
    mod rules;
    mod similar;
    mod support;
    mod symmetry;
    mod text;
    mod third_program;
    mod verdicts;
}
