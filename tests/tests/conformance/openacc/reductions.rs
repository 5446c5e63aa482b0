//! The nine operators under the compute constructs: on their loops, on loops inside, and on loops of a block.
use crate::nine::{self, Nine, START};
use crate::table::Checks;
use omp::acc;

in_one_loop!(parallel_loop: [acc::parallel_loop] ());
in_one_loop!(kernels_loop: [acc::kernels_loop] ());
in_one_loop!(serial_loop: [acc::serial_loop] ());
in_an_inner_loop!(parallel_vector: [acc::parallel_loop(gang)] [acc::loop_] (vector,));
in_an_inner_loop!(kernels_vector: [acc::kernels_loop(gang)] [acc::loop_] (vector,));
in_an_inner_loop!(serial_vector: [acc::serial_loop] [acc::loop_] (vector,));
in_an_inner_loop!(parallel_worker: [acc::parallel_loop(gang)] [acc::loop_] (worker,));

nine_programs! {
    parallel_loop: OpenAcc "2.9.11" "parallel loop";
    kernels_loop: OpenAcc "2.9.11" "kernels loop";
    serial_loop: OpenAcc "2.9.11" "serial loop";
    parallel_vector: OpenAcc "2.9.11" "parallel loop, loop vector";
    kernels_vector: OpenAcc "2.9.11" "kernels loop, loop vector";
    serial_vector: OpenAcc "2.9.11" "serial loop, loop vector";
    parallel_worker: OpenAcc "2.9.11" "parallel loop, loop worker";
}
