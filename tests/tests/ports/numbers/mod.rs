//! Numbers: large integers, primes, number-theoretic transforms, random and quasi-random numbers, quadrature.
mod bignum;
mod miller_rabin;
mod montgomery;
mod npb_ep;
mod ntt;
mod ntt_poly;
mod philox;
mod pollard;
mod quad_panels;
mod quadrature;
mod romberg;
mod sobol_points;
mod xorshift_pi;
