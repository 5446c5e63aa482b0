//! Methods with the names of built-in ones, of types for which no `impl` declares them.
use crate::typing::call::probe::{MayHaveNumbersMethods, never};
use crate::typing::call::{Call, Undeclared};

/// Stand-ins for methods with the names of built-in ones that no `impl` declares. Method resolution finds them last, because they
/// take `&mut self`.
macro_rules! undeclared {
    ($([$($arg:ident)*] { $($name:ident)+ })*) => {
        /// Methods with the names of built-in ones, of types that have no such device method.
        pub trait UndeclaredMethods: Sized {
            $(undeclared!(@each [$($arg)*] $($name)+);)*
        }

        #[cfg(test)]
        pub(super) const UNDECLARED: &[(&[&str], &[&str])] =
            &[$((&[$(stringify!($name)),+], &[$(stringify!($arg)),*])),*];
    };
    (@each $args:tt $($name:ident)+) => { $(undeclared!(@one $args $name);)+ };
    (@one [$($arg:ident)*] $name:ident) => {
        fn $name<$($arg,)* R>(&mut self, $(_: $arg,)* _: &Call<Undeclared<OfBuiltIn, Self>>) -> R {
            never()
        }
    };
}

undeclared! {
    [] {
        omp_E0709_declare_target_count_ones omp_E0709_declare_target_count_zeros
        omp_E0709_declare_target_leading_zeros omp_E0709_declare_target_trailing_zeros
        omp_E0709_declare_target_strict_neg omp_E0709_declare_target_wrapping_neg
        omp_E0709_declare_target_swap_bytes omp_E0709_declare_target_reverse_bits
        omp_E0709_declare_target_to_be omp_E0709_declare_target_to_le omp_E0709_declare_target_isqrt
        omp_E0709_declare_target_leading_ones omp_E0709_declare_target_trailing_ones
        omp_E0709_declare_target_ilog2 omp_E0709_declare_target_ilog10
        omp_E0709_declare_target_checked_neg omp_E0709_declare_target_checked_ilog2
        omp_E0709_declare_target_checked_ilog10 omp_E0709_declare_target_overflowing_neg
        omp_E0709_declare_target_abs omp_E0709_declare_target_signum
        omp_E0709_declare_target_wrapping_abs omp_E0709_declare_target_strict_abs
        omp_E0709_declare_target_saturating_neg omp_E0709_declare_target_saturating_abs
        omp_E0709_declare_target_is_positive omp_E0709_declare_target_is_negative
        omp_E0709_declare_target_checked_abs omp_E0709_declare_target_checked_isqrt
        omp_E0709_declare_target_overflowing_abs omp_E0709_declare_target_unsigned_abs
        omp_E0709_declare_target_cast_unsigned omp_E0709_declare_target_next_power_of_two
        omp_E0709_declare_target_is_power_of_two omp_E0709_declare_target_checked_next_power_of_two
        omp_E0709_declare_target_cast_signed omp_E0709_declare_target_next_up
        omp_E0709_declare_target_next_down omp_E0709_declare_target_sqrt
        omp_E0709_declare_target_cbrt omp_E0709_declare_target_exp omp_E0709_declare_target_exp2
        omp_E0709_declare_target_exp_m1 omp_E0709_declare_target_ln omp_E0709_declare_target_ln_1p
        omp_E0709_declare_target_log2 omp_E0709_declare_target_log10 omp_E0709_declare_target_sin
        omp_E0709_declare_target_cos omp_E0709_declare_target_tan omp_E0709_declare_target_asin
        omp_E0709_declare_target_acos omp_E0709_declare_target_atan omp_E0709_declare_target_sinh
        omp_E0709_declare_target_cosh omp_E0709_declare_target_tanh omp_E0709_declare_target_asinh
        omp_E0709_declare_target_acosh omp_E0709_declare_target_atanh omp_E0709_declare_target_floor
        omp_E0709_declare_target_ceil omp_E0709_declare_target_round
        omp_E0709_declare_target_round_ties_even omp_E0709_declare_target_trunc
        omp_E0709_declare_target_fract omp_E0709_declare_target_recip
        omp_E0709_declare_target_to_degrees omp_E0709_declare_target_to_radians
        omp_E0709_declare_target_is_nan omp_E0709_declare_target_is_finite
        omp_E0709_declare_target_is_infinite omp_E0709_declare_target_is_normal
        omp_E0709_declare_target_is_subnormal omp_E0709_declare_target_is_sign_positive
        omp_E0709_declare_target_is_sign_negative omp_E0709_declare_target_sin_cos
        omp_E0709_declare_target_to_bits omp_E0709_declare_target_is_eq
        omp_E0709_declare_target_is_ne omp_E0709_declare_target_is_lt omp_E0709_declare_target_is_le
        omp_E0709_declare_target_is_gt omp_E0709_declare_target_is_ge
        omp_E0709_declare_target_reverse omp_E0709_declare_target_to_le_bytes
        omp_E0709_declare_target_to_ne_bytes omp_E0709_declare_target_to_be_bytes
        omp_E0709_declare_target_clone omp_E0709_declare_target_is_ok
        omp_E0709_declare_target_is_err omp_E0709_declare_target_ok omp_E0709_declare_target_unwrap
        omp_E0709_declare_target_unwrap_or_default omp_E0709_declare_target_is_some
        omp_E0709_declare_target_is_none omp_E0709_declare_target_len
        omp_E0709_declare_target_is_empty omp_E0709_declare_target_is_ascii
        omp_E0709_declare_target_is_ascii_alphabetic omp_E0709_declare_target_is_ascii_alphanumeric
        omp_E0709_declare_target_is_ascii_control omp_E0709_declare_target_is_ascii_digit
        omp_E0709_declare_target_is_ascii_graphic omp_E0709_declare_target_is_ascii_hexdigit
        omp_E0709_declare_target_is_ascii_lowercase omp_E0709_declare_target_is_ascii_punctuation
        omp_E0709_declare_target_is_ascii_uppercase omp_E0709_declare_target_is_ascii_whitespace
        omp_E0709_declare_target_to_ascii_lowercase omp_E0709_declare_target_to_ascii_uppercase
    }
    [A] {
        omp_E0709_declare_target_min omp_E0709_declare_target_max
        omp_E0709_declare_target_wrapping_add omp_E0709_declare_target_wrapping_sub
        omp_E0709_declare_target_wrapping_mul omp_E0709_declare_target_saturating_add
        omp_E0709_declare_target_saturating_sub omp_E0709_declare_target_saturating_mul
        omp_E0709_declare_target_checked_add omp_E0709_declare_target_checked_sub
        omp_E0709_declare_target_checked_mul omp_E0709_declare_target_overflowing_add
        omp_E0709_declare_target_overflowing_sub omp_E0709_declare_target_overflowing_mul
        omp_E0709_declare_target_pow omp_E0709_declare_target_wrapping_pow
        omp_E0709_declare_target_rotate_left omp_E0709_declare_target_rotate_right
        omp_E0709_declare_target_wrapping_shl omp_E0709_declare_target_wrapping_shr
        omp_E0709_declare_target_checked_pow omp_E0709_declare_target_abs_diff
        omp_E0709_declare_target_strict_add omp_E0709_declare_target_strict_sub
        omp_E0709_declare_target_strict_mul omp_E0709_declare_target_strict_div
        omp_E0709_declare_target_strict_rem omp_E0709_declare_target_strict_div_euclid
        omp_E0709_declare_target_strict_rem_euclid omp_E0709_declare_target_div_euclid
        omp_E0709_declare_target_rem_euclid omp_E0709_declare_target_midpoint
        omp_E0709_declare_target_wrapping_div omp_E0709_declare_target_wrapping_rem
        omp_E0709_declare_target_wrapping_div_euclid omp_E0709_declare_target_wrapping_rem_euclid
        omp_E0709_declare_target_saturating_div omp_E0709_declare_target_ilog
        omp_E0709_declare_target_checked_div omp_E0709_declare_target_checked_rem
        omp_E0709_declare_target_checked_div_euclid omp_E0709_declare_target_checked_rem_euclid
        omp_E0709_declare_target_checked_ilog omp_E0709_declare_target_overflowing_div
        omp_E0709_declare_target_overflowing_rem omp_E0709_declare_target_overflowing_div_euclid
        omp_E0709_declare_target_overflowing_rem_euclid omp_E0709_declare_target_unbounded_shl
        omp_E0709_declare_target_unbounded_shr omp_E0709_declare_target_strict_pow
        omp_E0709_declare_target_strict_shl omp_E0709_declare_target_strict_shr
        omp_E0709_declare_target_saturating_pow omp_E0709_declare_target_checked_shl
        omp_E0709_declare_target_checked_shr omp_E0709_declare_target_overflowing_pow
        omp_E0709_declare_target_overflowing_shl omp_E0709_declare_target_overflowing_shr
        omp_E0709_declare_target_strict_add_unsigned omp_E0709_declare_target_strict_sub_unsigned
        omp_E0709_declare_target_wrapping_add_unsigned
        omp_E0709_declare_target_wrapping_sub_unsigned
        omp_E0709_declare_target_saturating_add_unsigned
        omp_E0709_declare_target_saturating_sub_unsigned
        omp_E0709_declare_target_checked_add_unsigned omp_E0709_declare_target_checked_sub_unsigned
        omp_E0709_declare_target_overflowing_add_unsigned
        omp_E0709_declare_target_overflowing_sub_unsigned omp_E0709_declare_target_div_ceil
        omp_E0709_declare_target_next_multiple_of omp_E0709_declare_target_is_multiple_of
        omp_E0709_declare_target_checked_next_multiple_of
        omp_E0709_declare_target_checked_signed_diff omp_E0709_declare_target_strict_add_signed
        omp_E0709_declare_target_strict_sub_signed omp_E0709_declare_target_wrapping_add_signed
        omp_E0709_declare_target_wrapping_sub_signed omp_E0709_declare_target_saturating_add_signed
        omp_E0709_declare_target_saturating_sub_signed omp_E0709_declare_target_checked_add_signed
        omp_E0709_declare_target_checked_sub_signed omp_E0709_declare_target_overflowing_add_signed
        omp_E0709_declare_target_overflowing_sub_signed omp_E0709_declare_target_copysign
        omp_E0709_declare_target_powf omp_E0709_declare_target_hypot omp_E0709_declare_target_log
        omp_E0709_declare_target_atan2 omp_E0709_declare_target_powi omp_E0709_declare_target_then
        omp_E0709_declare_target_total_cmp omp_E0709_declare_target_partial_cmp
        omp_E0709_declare_target_cmp omp_E0709_declare_target_eq_ignore_ascii_case
        omp_E0709_declare_target_to_digit omp_E0709_declare_target_is_digit
        omp_E0709_declare_target_unwrap_or omp_E0709_declare_target_or
    }
    [A B] {
        omp_E0709_declare_target_clamp omp_E0709_declare_target_mul_add
    }
}

impl<T: MayHaveNumbersMethods> UndeclaredMethods for T {}

/// The name of a built-in method.
#[derive(Debug)]
pub enum OfBuiltIn {}
